import type { Ticker, Tickable } from '@corral/client';
import type { Json } from '@corral/contract';
import { emitEvents, setMetadata, setProperty } from '../commands/device-calls.ts';
import { commandsProperty } from '../device-commands/read-commands.ts';
import type { DeviceLink } from '../link/device-link.ts';
import { asJson, systemInfoProperty } from '../system/system-info.ts';
import { version } from '../version.ts';
import { generateDevice } from './generated-device.ts';
import { generateEvent } from './generated-events.ts';
import { abilitiesOf, commandsOf } from './simulated-commands.ts';
import type { SimulatedMachine } from './SimulatedMachine.ts';
import type { SimulatedSoftware } from './SimulatedSoftware.ts';

/** How a simulated device behaves. */
export interface SimulatedDeviceOptions {
  readonly index: number;
  readonly ticker: Ticker;
  readonly machine: SimulatedMachine;
  readonly software: SimulatedSoftware;
  /** How often it looks for the version that it shall have, in milliseconds. */
  readonly checkEveryMs: number;
  /** How long it stays connected before it disconnects, in milliseconds; Infinity for never. */
  readonly connectedForMs: () => number;
  /** Called for every failure except the end of the connection. */
  readonly onFailure: (message: string) => void;
}

const eventsEveryMs = { min: 5_000, max: 60_000 };

/** Reports what a device reports on connecting, then events until the connection ends, driven by the ticker. */
export function simulateDevice(
  link: DeviceLink,
  { index, ticker, machine, software, checkEveryMs, connectedForMs, onFailure }: SimulatedDeviceOptions,
): void {
  const disconnectsAtMs = performance.now() + connectedForMs();
  let eventAtMs = performance.now() + Math.random() * eventsEveryMs.min;
  let checkAtMs = performance.now() + Math.random() * checkEveryMs;
  const attempt = (work: Promise<unknown>): void => {
    work.catch((error: Error) => {
      if (link.end === undefined) onFailure(error.message);
    });
  };
  const device: Tickable = {
    tick() {
      const nowMs = performance.now();
      if (nowMs >= disconnectsAtMs) return link.close('the device switches off');
      if (nowMs >= checkAtMs) {
        checkAtMs = nowMs + checkEveryMs;
        attempt(machine.checkWanted(link));
      }
      if (nowMs < eventAtMs) return;
      eventAtMs = nowMs + randomBetween(eventsEveryMs.min, eventsEveryMs.max);
      attempt(emitEvents(link, [generateEvent(Math.random)]));
    },
  };
  ticker.add(device);
  void link.closed.then(() => ticker.remove(device));
  attempt(reportState(link, index, software).then(() => machine.connected(link)));
}

async function reportState(link: DeviceLink, index: number, software: SimulatedSoftware): Promise<void> {
  const { systemInfo, metadata, properties } = generateDevice(index);
  const { takesCommands, asksForWork, terminalUsers } = abilitiesOf(index);
  const config = {
    commands: { enabled: takesCommands },
    operations: { enabled: asksForWork },
    terminal: { enabled: terminalUsers.length > 0, users: terminalUsers },
  };
  const agent = { version: version(), config };
  await link.setProperty(systemInfoProperty, asJson({ ...systemInfo, agent }));
  if (takesCommands)
    await setProperty(link, commandsProperty, { commands: [...commandsOf(index)] as unknown as Json[] });
  await setMetadata(link, metadata);
  for (const [name, value] of Object.entries({ ...properties, 'app.version': software.version }))
    await setProperty(link, name, value);
}

/** A random number, uniformly distributed between two bounds. */
export function randomBetween(min: number, max: number): number {
  return min + Math.random() * (max - min);
}
