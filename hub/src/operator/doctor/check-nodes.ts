import type { Vault } from '../../platform/vault/vault.ts';
import { isOlderRelease } from '../../platform/db/releases.ts';
import type { connectDatabase } from '../../platform/db/connect.ts';
import type { NodeCertificate } from '../../entry/peers/node-certificate.ts';
import type { Config } from '../../config/config.ts';
import { differingSettings, sharedSettings } from '../../config/shared-settings.ts';
import { pingNodes, type AnsweringNode } from '../../platform/events/ping-nodes.ts';
import { type LiveNode, existingInstanceKey, instanceIdOf } from '../../domains/instance/index.ts';
import { machineClocks } from '../../wiring/machine-clocks.ts';
import { checkOf, secondsOf, messageOf, type Finding } from './finding.ts';

type HubDb = ReturnType<typeof connectDatabase>;

const pingTimeoutMs = 3_000;
const maxClockDifferenceMs = 2_000;
const nameOf = ({ name }: LiveNode): string => name ?? 'without a name';

/** Checks that NATS works and that the other nodes use the same one, and compares their clocks. */
export async function checkNats(
  { nats: address, peers }: Config,
  db: HubDb | undefined,
  nodes: readonly LiveNode[],
): Promise<Finding[]> {
  const { right, wrong, unchecked } = checkOf('NATS');
  if (address === undefined) return [right('None is set: this hub is the only one on its database.')];
  const instanceId = db === undefined ? undefined : await instanceIdOf(db).catch(() => undefined);
  const reached = nodes.filter(({ messageBus }) => messageBus !== null);
  try {
    const answers = await pingNodes({
      address,
      instanceId: instanceId ?? 'unknown',
      expected: instanceId === undefined ? 0 : reached.length,
      waitMs: pingTimeoutMs,
      machineMs: machineClocks.machineMs,
    });
    const servers = address.servers.join(', ');
    const ok = right(
      `${servers} can be used.${peers === undefined ? ' The hub has a database of its own, so it is the only one nevertheless.' : ''}`,
    );
    if (instanceId === undefined)
      return [ok, unchecked('Whether the other hubs are on the same NATS was not checked.')];
    return [ok, ...answerFindings(reached, answers), ...clockFindings(answers)];
  } catch (error) {
    return [
      wrong(
        `CORRAL_NATS_URL: NATS cannot be used: ${messageOf(error)} Correct the URL, the user, or its rights on the subject corral.${instanceId ?? 'ID'}.hints. Until then the other hubs learn of changes later.`,
      ),
    ];
  }
}

function answerFindings(nodes: readonly LiveNode[], answers: readonly AnsweringNode[]): Finding[] {
  const { right, wrong } = checkOf('NATS');
  const unmatchedNames = answers.map(({ node }) => node);
  const silent = nodes.filter((node) => {
    const at = unmatchedNames.indexOf(node.name ?? '');
    if (at !== -1) unmatchedNames.splice(at, 1);
    return at === -1;
  });
  if (silent.length > 0)
    return [
      wrong(
        `No answer through it came from ${silent.map(nameOf).join(', ')}: give all hubs the same CORRAL_NATS_URL.`,
      ),
    ];
  return nodes.length === 0 ? [] : [right(`All ${nodes.length} running hubs answered through it.`)];
}

function clockFindings(answers: readonly AnsweringNode[]): Finding[] {
  const { right, wrong } = checkOf('Clocks of hubs');
  const apart = answers.filter(({ aheadMs }) => Math.abs(aheadMs) > maxClockDifferenceMs);
  if (apart.length > 0)
    return apart.map(({ node, aheadMs }) =>
      wrong(
        `The clock of ${node} is ${secondsOf(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} that of this machine: set both by NTP.`,
      ),
    );
  return answers.length === 0 ? [] : [right('They agree with that of this machine.')];
}

/** Whether the releases and settings of the running nodes are compatible. */
export function checkNodes(config: Config, nodes: readonly LiveNode[], release: string): Finding[] {
  const { peers, nodeName } = config;
  const { right, wrong } = checkOf('Hubs');
  if (nodes.length === 0) return [right('None runs on this database now.')];
  const list = nodes.map((node) => `${nameOf(node)} (${node.version ?? 'unknown release'})`).join(', ');
  const alone = nodes.find(({ peerName }) => peerName === null);
  const findings = [right(`These run: ${list}.`)];
  if (peers !== undefined && alone !== undefined)
    findings.push(
      wrong(
        `${nameOf(alone)} runs as the only one, without CORRAL_NATS_URL: stop it, and start it as a node of the cluster.`,
      ),
    );
  if (nodes.some(({ version }) => isOlderRelease(version ?? '0.0.0', release)))
    findings.push(right(`Some run an older release than ${release}, which is well while they are upgraded.`));
  if (nodes.some(({ version }) => isOlderRelease(release, version ?? '0.0.0')))
    findings.push(wrong(`Some run a newer release than ${release}: upgrade this hub as well.`));
  const isHere = nodes.some(({ name }) => name === nodeName);
  const all = isHere ? nodes : [...nodes, { name: nodeName, settings: sharedSettings(config) }];
  findings.push(...differingSettings(all).map(wrong));
  return findings;
}

/** Whether this machine reaches the addresses at which the running nodes listen for each other. */
export async function checkPeers(
  { peers }: Config,
  db: HubDb,
  vault: Vault | undefined,
  nodes: readonly LiveNode[],
): Promise<Finding[]> {
  const { right, unchecked } = checkOf('Peer addresses');
  const others = nodes.flatMap(({ peerName: name, peerAddress: address, ...node }) =>
    name === null || address === null ? [] : [{ name, address, node: node.name ?? 'without a name' }],
  );
  if (peers === undefined || others.length === 0) return [];
  const seed = vault && (await existingInstanceKey({ tx: db, vault }, 'node certificates'));
  if (seed === undefined) return [unchecked('The secret key that hubs know each other by is missing.')];
  const { issueNodeCertificate } = await import('../../entry/peers/node-certificate.ts');
  const certificate = await issueNodeCertificate(seed);
  const problems = await Promise.all(others.map((other) => peerProblem(other, certificate)));
  const found = problems.filter((problem) => problem !== undefined);
  return found.length > 0
    ? found
    : [right(`${others.map(({ address }) => address).join(', ')} can be reached.`)];
}

async function peerProblem(
  other: { readonly name: string; readonly address: string; readonly node: string },
  certificate: NodeCertificate,
): Promise<Finding | undefined> {
  const { connectToPeer } = await import('../../entry/peers/peer-socket.ts');
  try {
    (await connectToPeer(other, certificate)).destroy();
    return undefined;
  } catch (error) {
    return checkOf('Peer addresses').wrong(
      `${other.node} cannot be reached at ${other.address}: ${messageOf(error)} Let hubs through the firewall, or set CORRAL_PEER_HOST and CORRAL_PEER_PORT of that hub.`,
    );
  }
}
