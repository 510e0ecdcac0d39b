import { formatBytes, formatCount } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import type { ForwardedPort } from './forwarder.ts';
import type { ForwardView, Target } from './forward-view.ts';
import { localHost } from './listen.ts';

/** Lines for output without a terminal: ports on the standard output, problems on the error stream. */
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
      out.note(`There is no link to the hub: ${clause(reason)}. Trying again in ${waitText(delayMs)}.`);
    },
    onInterrupted: ({ devicePort }, reason) =>
      out.note(`Connections to port ${devicePort} wait for a way to the device: ${reason}.`),
    onResumed: ({ devicePort }) => out.note(`Connections to port ${devicePort} go on.`),
    onProblem: (_port, sentence) => out.note(sentence),
    onEnd(ports) {
      for (const port of ports) out.note(summary(port));
    },
  };
}

/** JSON objects, one per line, for programs. */
export function jsonView(out: Output): ForwardView {
  const write = (event: object): void => out.write(`${JSON.stringify(event)}\n`);
  return {
    onListening: ({ localPort, devicePort }) => write({ event: 'listening', localPort, devicePort }),
    onConnected: () => write({ event: 'connected' }),
    onWaiting: (reason, delayMs) => write({ event: 'waiting', reason, delayMs: Math.round(delayMs) }),
    onInterrupted: ({ localPort, devicePort }, reason) =>
      write({ event: 'interrupted', localPort, devicePort, reason }),
    onResumed: ({ localPort, devicePort }) => write({ event: 'resumed', localPort, devicePort }),
    onProblem: ({ localPort, devicePort }, message) =>
      write({ event: 'problem', localPort, devicePort, message }),
    onEnd(ports) {
      for (const { localPort, devicePort, traffic } of ports) {
        const { totalCount: connections, sentBytes, receivedBytes } = traffic;
        write({ event: 'ended', localPort, devicePort, connections, sentBytes, receivedBytes });
      }
    },
  };
}

/** The traffic of a port, in one line. */
function summary({ localPort, traffic }: ForwardedPort): string {
  const { totalCount, sentBytes, receivedBytes } = traffic;
  return `${localHost}:${localPort}: ${formatCount(totalCount, 'connection')}, ${formatBytes(sentBytes)} sent, ${formatBytes(receivedBytes)} received`;
}

/** A reason that a hub or a library gives as a sentence, as a part of another one. */
const clause = (reason: string): string => reason.replace(/^The /, 'the ');

/** A wait in seconds, at least 1. */
function waitText(delayMs: number): string {
  return `${Math.max(1, Math.round(delayMs / 1_000))} s`;
}
