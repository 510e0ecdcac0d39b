import type { Command } from 'commander';
import { Forwarder } from '../forward/forwarder.ts';
import type { ForwardView, Target } from '../forward/forward-view.ts';
import { jsonView, lineView } from '../forward/line-view.ts';
import { liveView } from '../forward/live-view.ts';
import { parsePortPairs, type PortPair } from '../forward/port-pair.ts';
import { ReconnectingLink } from '../forward/reconnecting-link.ts';
import { findDevice } from '../hub/find-device.ts';
import type { Output } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral forward`. */
export function addForward(program: Command, context: CommandContext): void {
  const command = program
    .command('forward')
    .description(
      'Forwards ports of this machine to ports of a device until it is stopped. Reconnects when the link to the hub is lost.',
    )
    .argument('<device>', 'id, name or host name of the device')
    .argument('<ports...>', 'LOCAL:REMOTE, one pair or several; 0 as LOCAL takes any free port')
    .action((device: string, ports: string[]) => forward(context, device, ports));
  withExample(command, 'corral forward "Press 4" 8080:80', 'corral forward d_… 2222:22 0:5432');
}

async function forward(context: CommandContext, device: string, texts: string[]): Promise<void> {
  const pairs = parsePortPairs(texts);
  const out = context.output();
  const hub = context.hub();
  const deviceId = await findDevice(hub, device);
  const { name, isConnected } = await hub.invoke('devices_GetDeviceDetails', { deviceId });
  const target = { deviceId, deviceName: plainText(name ?? deviceId), hubUrl: hub.url };
  if (!isConnected)
    out.note(`${target.deviceName} is not connected now: until it is, connections are refused.`);
  const view = viewOf(out, target);
  const link = new ReconnectingLink(hub.openLink, view);
  const signal = context.parts.stopSignal();
  const forwarder = new Forwarder({ link, deviceId, view, signal });
  await listenAndKeep({ pairs, forwarder, link, view, signal });
}

interface Running {
  readonly pairs: readonly PortPair[];
  readonly forwarder: Forwarder;
  readonly link: ReconnectingLink;
  readonly view: ForwardView;
  readonly signal: AbortSignal;
}

async function listenAndKeep({ pairs, forwarder, link, view, signal }: Running): Promise<void> {
  try {
    for (const pair of pairs) await forwarder.add(pair);
    for (const port of forwarder.ports) view.onListening(port);
    await link.keep(signal);
  } finally {
    forwarder.close();
    view.onEnd(forwarder.ports);
  }
}

function viewOf(out: Output, target: Target): ForwardView {
  if (out.isJson) return jsonView(out);
  return out.isLive ? liveView(out, target) : lineView(out, target);
}
