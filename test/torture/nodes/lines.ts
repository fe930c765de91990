/** Lines from a node to its servers, which can be cut while both ends keep running. */
import { createNetworkNamespace, type NetworkNamespace } from '../../support/network-namespaces.js'
import { startTcpProxy, type TcpProxy, type Way } from '../../support/tcp-proxy.js'

export interface Line {
  /** Address at which the node reaches the server. */
  readonly host: string
  readonly port: number
  /** Cuts the line in one direction. Default: both. */
  cut(way?: Way): void
  restore(): void
}

/**
 * `direct`: no lines, nothing can be cut. `proxies`: a proxy in between holds back data without loss. `namespaces`: each node has a network
 * namespace of its own, in which the kernel drops packets.
 */
export type LineSort = 'direct' | 'proxies' | 'namespaces'

export interface Lines {
  readonly sort: LineSort
  /** Address at which the node listens. */
  readonly address: string
  /** Command that runs the node's command in its network; empty if it needs none. */
  readonly launcher: readonly string[]
  to(server: { readonly port: number }): Promise<Line>
  restore(): void
  remove(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Creates the lines of one node. */
export function createLines(sort: LineSort): Lines {
  const network = sort === 'namespaces' ? createNetworkNamespace() : null
  const host = network?.hostAddress ?? LOOPBACK
  const proxies: TcpProxy[] = []
  return {
    sort,
    address: network?.address ?? LOOPBACK,
    launcher: network?.launcher ?? [],
    async to(server) {
      if (sort === 'direct') return { host, port: server.port, cut: refuse, restore: () => undefined }
      const proxy = await startTcpProxy(server, { host })
      proxies.push(proxy)
      return network === null ? proxyLine(proxy) : droppedLine(network, proxy)
    },
    restore() {
      network?.restore()
      for (const proxy of proxies) proxy.resume()
    },
    async remove() {
      await Promise.all(proxies.map((proxy) => proxy.stop()))
      network?.remove()
    }
  }
}

function proxyLine(proxy: TcpProxy): Line {
  return { host: LOOPBACK, port: proxy.port, cut: (way) => proxy.stall(way), restore: () => proxy.resume() }
}

/** A line with dropped packets. The proxy is needed only because the server listens on this machine's loopback address. */
function droppedLine(network: NetworkNamespace, proxy: TcpProxy): Line {
  return { host: network.hostAddress, port: proxy.port, cut: (way) => network.drop(proxy.port, way), restore: () => network.restore() }
}

function refuse(): never {
  throw new Error('This line cannot be cut')
}
