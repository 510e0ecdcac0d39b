import type { Ticker, Tickable } from '@corral/client';
import { emitEvents, setMetadata, setProperty } from '../commands/device-calls.ts';
import type { DeviceLink } from '../link/device-link.ts';
import { asJson, systemInfoProperty } from '../system/system-info.ts';
import { generateDevice } from './generated-device.ts';
import { generateEvent } from './generated-events.ts';

/** How a simulated device lives. */
export interface SimulatedDeviceOptions {
  readonly index: number;
  readonly ticker: Ticker;
  /** How long it stays connected before it leaves by itself, in milliseconds; Infinity for one that never does. */
  readonly staysForMs: () => number;
  /** Told of every failure that is not the end of the connection. */
  readonly onFailure: (message: string) => void;
}

const eventsEveryMs = { least: 5_000, most: 60_000 };

/** Says what a device says on connecting, and reports events until the connection ends; all of them live by one tick. */
export function simulateDevice(
  link: DeviceLink,
  { index, ticker, staysForMs, onFailure }: SimulatedDeviceOptions,
): void {
  const leavesAtMs = performance.now() + staysForMs();
  let eventAtMs = performance.now() + Math.random() * eventsEveryMs.least;
  const attempt = (work: Promise<unknown>): void => {
    work.catch((error: Error) => {
      if (link.end === undefined) onFailure(error.message);
    });
  };
  const life: Tickable = {
    tick() {
      const nowMs = performance.now();
      if (nowMs >= leavesAtMs) return link.close('the device switches off');
      if (nowMs < eventAtMs) return;
      eventAtMs = nowMs + randomBetween(eventsEveryMs.least, eventsEveryMs.most);
      attempt(emitEvents(link, [generateEvent(Math.random)]));
    },
  };
  ticker.add(life);
  void link.closed.then(() => ticker.remove(life));
  attempt(introduce(link, index));
}

async function introduce(link: DeviceLink, index: number): Promise<void> {
  const { systemInfo, metadata, properties } = generateDevice(index);
  await setProperty(link, systemInfoProperty, asJson(systemInfo));
  await setMetadata(link, metadata);
  for (const [name, value] of Object.entries(properties)) await setProperty(link, name, value);
}

/** A number randomBetween evenly between two bounds. */
export function randomBetween(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
