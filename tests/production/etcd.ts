import { takePort } from '../support/ports'
import type { CheckContext } from './check'
import { adaptEnvironment } from './configuration'
import { commandPath } from './debian'

/** Starts etcd members, which agree on who the primary is. Returns their addresses, host:port. */
export async function startEtcd({ folder, startDaemon }: CheckContext, members: number): Promise<string[]> {
  const nodes = await Promise.all(
    Array.from({ length: members }, async (_, i) => ({
      name: `etcd${i + 1}`,
      client: `127.0.0.1:${await takePort()}`,
      peer: `http://127.0.0.1:${await takePort()}`,
    })),
  )
  await Promise.all(
    nodes.map(({ name, client, peer }) =>
      startDaemon({
        name,
        command: commandPath('etcd'),
        args: [],
        env: adaptEnvironment('etcd/etcd.env', {
          ETCD_NAME: name,
          ETCD_DATA_DIR: `${folder}/${name}`,
          ETCD_LISTEN_CLIENT_URLS: `http://${client}`,
          ETCD_ADVERTISE_CLIENT_URLS: `http://${client}`,
          ETCD_LISTEN_PEER_URLS: peer,
          ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
          ETCD_INITIAL_CLUSTER: nodes.map((node) => `${node.name}=${node.peer}`).join(','),
        }),
        isReady: () =>
          fetch(`http://${client}/health`).then(
            async (answer) => (await answer.text()).includes('"true"'),
            () => false,
          ),
      }),
    ),
  )
  return nodes.map(({ client }) => client)
}
