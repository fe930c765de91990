/** The way of a node to one server, to be cut while the node and the server go on. */
import { createNetworkNamespace, type NetworkNamespace } from '../../support/network-namespaces.js'
import { startTcpProxy, type TcpProxy, type Way } from '../../support/tcp-proxy.js'

export interface Line {
  /** Where the node finds the server. */
  readonly host: string
  readonly port: number
  /** From now on nothing passes that way; both ways when none is named. */
  cut(way?: Way): void
  restore(): void
}

/**
 * `direct`: none that could be cut. `proxies`: in between is a proxy that holds back what it is given, and knows no loss. `namespaces`:
 * the kernel drops packets, and each node has a network of its own.
 */
export type LineSort = 'direct' | 'proxies' | 'namespaces'

export interface Lines {
  readonly sort: LineSort
  /** Where the node listens. */
  readonly address: string
  /** What its command begins with. */
  readonly launcher: readonly string[]
  to(server: { readonly port: number }): Promise<Line>
  restore(): void
  remove(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** The lines of one node. */
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

/** The proxy only carries on to a server that listens on this machine's loopback alone. */
function droppedLine(network: NetworkNamespace, proxy: TcpProxy): Line {
  return { host: network.hostAddress, port: proxy.port, cut: (way) => network.drop(proxy.port, way), restore: () => network.restore() }
}

function refuse(): never {
  throw new Error('This line cannot be cut')
}
