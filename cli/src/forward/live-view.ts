import { formatBytes, formatCount } from '../output/format.ts';
import { LiveRegion } from '../output/LiveRegion.ts';
import type { Output } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';
import { fitted } from '../output/text-width.ts';
import type { ForwardedPort } from './forwarder.ts';
import type { ForwardView, Target } from './forward-view.ts';
import { localHost } from './listen.ts';

const renderMs = 250;

/** A snapshot of the forwarding. */
interface Snapshot {
  readonly ports: readonly ForwardedPort[];
  readonly link: string;
  readonly bytesPerSec: number;
}

/** A table on the terminal that is updated live, with problems above it. */
export function liveView(out: Output, target: Target): ForwardView {
  const region = new LiveRegion(out.write);
  const ports: ForwardedPort[] = [];
  const rate = new Rate();
  let state = (): string => out.style.dim('○ connecting');
  let isOver = false;
  const render = (): void => {
    const bytesPerSec = isOver ? 0 : rate.of(totalBytes(ports));
    const snapshot = { ports, link: state(), bytesPerSec };
    region.render(linesOf(snapshot, target, out));
  };
  const timer = setInterval(render, renderMs);
  return {
    onListening(port) {
      ports.push(port);
    },
    onConnected() {
      state = () =>
        `${out.style.green('● connected')} ${out.style.dim(`to ${target.hubUrl}. Ctrl-C stops.`)}`;
      render();
    },
    onWaiting(reason, delayMs) {
      const againAtMs = performance.now() + delayMs;
      state = () => {
        const secs = Math.max(0, Math.ceil((againAtMs - performance.now()) / 1_000));
        return out.style.yellow(
          fit(`○ ${plainText(reason)}; trying again${secs === 0 ? '' : ` in ${secs} s`}`, out),
        );
      };
      render();
    },
    // The table shows how many wait.
    onInterrupted: () => render(),
    onResumed: () => render(),
    onProblem: (_port, sentence) => region.print(out.style.yellow(plainText(sentence))),
    onEnd() {
      clearInterval(timer);
      isOver = true;
      state = () => out.style.dim('○ stopped');
      render();
    },
  };
}

function linesOf({ ports, link, bytesPerSec }: Snapshot, target: Target, out: Output): string[] {
  const { style } = out;
  const cells = ports.map(({ localPort, devicePort, traffic }) => [
    `${localHost}:${localPort} → ${devicePort}`,
    `${traffic.openCount} open${traffic.waitingCount > 0 ? `, ${traffic.waitingCount} waiting` : ''}`,
    formatCount(traffic.totalCount, 'connection'),
    `↑ ${formatBytes(traffic.sentBytes)}`,
    `↓ ${formatBytes(traffic.receivedBytes)}`,
  ]);
  const widths = (cells[0] ?? []).map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  const rows = cells.map((row, index) => {
    const text = fit(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   '), out);
    return ports[index]?.traffic.openCount === 0 ? style.dim(text) : text;
  });
  const speed = bytesPerSec > 0 ? `   ${formatBytes(bytesPerSec)}/s` : '';
  return [style.bold(fit(`Forwarding to ${plainText(target.deviceName)}${speed}`, out)), ...rows, link];
}

/** Truncates a line to the width of the terminal. */
function fit(text: string, { columns }: Output): string {
  return fitted(text, Math.max(1, columns - 1));
}

function totalBytes(ports: readonly ForwardedPort[]): number {
  return ports.reduce((sum, { traffic }) => sum + traffic.sentBytes + traffic.receivedBytes, 0);
}

/** Bytes per second, over about the last second. */
class Rate {
  #samples: { readonly atMs: number; readonly bytes: number }[] = [];

  of(bytes: number): number {
    const atMs = performance.now();
    this.#samples = [...this.#samples.filter((sample) => atMs - sample.atMs < 1_500), { atMs, bytes }];
    const [first] = this.#samples;
    if (first === undefined || atMs - first.atMs < renderMs) return 0;
    return Math.round(((bytes - first.bytes) / (atMs - first.atMs)) * 1_000);
  }
}
