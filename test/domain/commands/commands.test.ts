import t from 'tap'
import { isRead } from '../../../src/domain/commands/commands.js'

const READING = `
session.dedupCheck session.metrics session.days session.context session.memory session.search session.export session.verify session.probe
anchor.score isolation.screen memory.list entity.list state.read exchange.read exchange.match cluster.read cluster.checkMember
cluster.sample region.read region.checkCluster region.events region.sample observer.summary observer.anomalies network.active
network.serialize network.trust`
const CHANGING = `
session.create session.delete session.run session.store session.import session.sweep session.embed user.erase trigger.set trigger.clear
anchor.set isolation.set isolation.release memory.inject memory.ingest memory.edit memory.delete entity.put entity.remove state.blend
state.transfer membership.add membership.remove exchange.learn exchange.collect exchange.unlearn cluster.create cluster.delete
cluster.addMember cluster.removeMember cluster.dropMember cluster.feedback cluster.spread cluster.noteDrift cluster.joinRegion
cluster.leaveRegion cluster.checkRegion cluster.pull region.create region.delete region.attach region.detach region.dropCluster
region.vote region.realign observer.create observer.sample observer.clear observer.register observer.unregister observer.delete
network.switch network.consensus network.dropSession`

t.test('a command that only reads is told from one that may change something, and from one that is not known', async (t) => {
  for (const type of READING.trim().split(/\s+/)) t.ok(isRead({ type }), type)
  for (const type of CHANGING.trim().split(/\s+/)) t.notOk(isRead({ type }), type)
  for (const type of ['toString', 'session.unknown', '']) t.notOk(isRead({ type }), type)
})
