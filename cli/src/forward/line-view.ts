import { formatBytes, formatCount } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import type { Forwarded } from './forwarder.ts';
import type { ForwardView, Target } from './forward-view.ts';
import { localHost } from './listen.ts';

/** Lines for where no terminal is: where it leads on the standard output, troubles on the error stream. */
export function lineView(out: Output, { deviceId, deviceName }: Target): ForwardView {
  let isLost = false;
  return {
    onListening({ localPort, devicePort }) {
      const name = deviceName === deviceId ? deviceId : `${deviceName} (${deviceId})`;
      out.write(`${localHost}:${localPort} leads to port ${devicePort} of ${name}\n`);
    },
    onConnected() {
      if (isLost) out.note('The link to the hub is back.');
      isLost = false;
    },
    onWaiting(reason, delayMs) {
      isLost = true;
      out.note(`There is no link to the hub: ${reason}. Trying again in ${waitText(delayMs)}.`);
    },
    onProblem: (_port, sentence) => out.note(sentence),
    onEnd(ports) {
      for (const port of ports) out.note(summary(port));
    },
  };
}

/** Objects, one a line, for programs. */
export function jsonView(out: Output): ForwardView {
  const say = (event: object): void => out.write(`${JSON.stringify(event)}\n`);
  return {
    onListening: ({ localPort, devicePort }) => say({ event: 'listening', localPort, devicePort }),
    onConnected: () => say({ event: 'connected' }),
    onWaiting: (reason, delayMs) => say({ event: 'waiting', reason, delayMs: Math.round(delayMs) }),
    onProblem: ({ localPort, devicePort }, message) =>
      say({ event: 'problem', localPort, devicePort, message }),
    onEnd(ports) {
      for (const { localPort, devicePort, traffic } of ports) {
        const { totalCount: connections, sentBytes, receivedBytes } = traffic;
        say({ event: 'ended', localPort, devicePort, connections, sentBytes, receivedBytes });
      }
    },
  };
}

/** What has gone through a port, in one line. */
function summary({ localPort, traffic }: Forwarded): string {
  const { totalCount, sentBytes, receivedBytes } = traffic;
  return `${localHost}:${localPort}: ${formatCount(totalCount, 'connection')}, ${formatBytes(sentBytes)} sent, ${formatBytes(receivedBytes)} received`;
}

/** A wait for people; never 0 seconds. */
function waitText(delayMs: number): string {
  return `${Math.max(1, Math.round(delayMs / 1_000))} s`;
}
