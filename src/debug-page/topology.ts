/** The parts of the service and what ties them, as the page is told. */

export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly state: string
  /** Of a live actor: how far a session has drifted, where a region's votes are, what an observer sees. */
  readonly course?: string
}

export interface GraphEdge {
  readonly source: string
  readonly target: string
  readonly kind: string
}
