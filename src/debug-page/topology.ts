/** Graph of the service's parts, as the page receives it. */

export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly state: string
  /** State of an active actor: how far a session has drifted, the votes of a region, what an observer sees. */
  readonly course?: string
}

export interface GraphEdge {
  readonly source: string
  readonly target: string
  readonly kind: string
}
