import type { CallInput, Id } from '@corral/contract';
import fc from 'fast-check';
import { beforeEach, expect, inject, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import {
  connectedDevice,
  type OperationScene,
  operationsOf,
  type Work,
} from '../../../../test/operation-scene.ts';

type Steps = CallInput<'devices_CreateOperation'>['steps'];
type Status = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled';

const scene = deviceScene();
const { hub, device, member } = scene;
let operations: OperationScene;
beforeEach(async () => {
  operations = operationsOf(scene);
  await connectedDevice(scene);
});

const command = { kind: 'DeviceCommand' as const, command: 'touch', input: null, timeoutSecs: 100 };
const property = { kind: 'SetDeviceProperty' as const, name: 'ring', value: 1 };
const wait = {
  kind: 'WaitForDeviceProperty' as const,
  predicate: {
    kind: 'Equals' as const,
    left: { kind: 'NamedValue' as const, name: 'open' },
    right: { kind: 'Literal' as const, value: true },
  },
};
const kinds = { command, property, wait };

/** What should be, kept as simply as possible. */
interface Model {
  readonly id: Id<'deviceOperation'>;
  readonly steps: readonly (keyof typeof kinds)[];
  status: Status;
  isReleased: boolean;
  index: number;
  claims: number;
  secsLeft: number;
}

type Action =
  | { readonly do: 'create'; readonly steps: readonly (keyof typeof kinds)[] }
  | { readonly do: 'start' | 'cancel'; readonly which: number }
  | { readonly do: 'report'; readonly isGood: boolean; readonly which: number }
  | { readonly do: 'claim' | 'open' | 'pass' };

const creation = fc.record({
  do: fc.constant('create' as const),
  steps: fc.array(
    fc.constantFrom('command' as const, 'command' as const, 'property' as const, 'wait' as const),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
});
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: creation },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start' as const), which: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('report' as const), isGood: fc.boolean(), which: fc.nat(4) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('claim' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('open' as const, 'pass' as const) }) },
);
/** Something runs from the beginning, so that few runs do nothing. */
const plan = fc
  .tuple(creation, fc.array(action, { minLength: 1, maxLength: 14 }))
  .map(([first, rest]): Action[] => [first, { do: 'start', which: 0 }, ...rest]);

/** Runs the steps of the hub, and starts what waits, until only the device or time can go on. */
function settle(models: readonly Model[], isOpen: boolean): void {
  for (const model of models)
    while (model.status === 'Running') {
      const step = model.steps[model.index];
      if (step === undefined) model.status = 'Succeeded';
      else if (step === 'property' || (step === 'wait' && isOpen)) next(model);
      else break;
    }
  if (models.some(({ status }) => status === 'Running')) return;
  const waiting = models.find(({ status, isReleased }) => status === 'Pending' && isReleased);
  if (waiting === undefined) return;
  waiting.status = 'Running';
  settle(models, isOpen);
}

function next(model: Model): void {
  model.index += 1;
  model.claims = 0;
  model.secsLeft = 100;
}

async function run(actions: readonly Action[]): Promise<void> {
  const models: Model[] = [];
  const released: Model[] = [];
  const works: { readonly work: Work; readonly model: Model; readonly index: number }[] = [];
  let isOpen = false;
  const { deviceId } = device;
  await hub.as(member, 'devices_SetDeviceProperty', { deviceId, name: 'open', value: false });
  for (const one of actions) {
    hub.advance(1);
    for (const model of models)
      if (model.status === 'Running' && model.steps[model.index] === 'command') model.secsLeft -= 1;
    const running = models.find(({ status }) => status === 'Running');
    if (one.do === 'create') {
      const id = await operations.create(one.steps.map((kind) => kinds[kind]) as Steps);
      models.push({
        id,
        steps: one.steps,
        status: 'Pending',
        isReleased: false,
        index: 0,
        claims: 0,
        secsLeft: 100,
      });
    } else if (one.do === 'start') {
      const model = models.filter(({ status }) => status === 'Pending')[one.which];
      if (model !== undefined) {
        await operations.start(model.id);
        if (!model.isReleased) released.push(model);
        model.isReleased = true;
      }
    } else if (one.do === 'cancel') {
      const model = models[one.which];
      if (model !== undefined)
        await hub.as(member, 'devices_CancelOperation', { deviceOperationId: model.id });
      if (model?.status === 'Pending' || model?.status === 'Running') model.status = 'Cancelled';
    } else if (one.do === 'claim') {
      const [work] = await operations.claim();
      if (running !== undefined && running.steps[running.index] === 'command') {
        if (running.claims === 3) running.status = 'Failed';
        else {
          running.claims += 1;
          expect(work).toMatchObject({ deviceOperationId: running.id, stepIndex: running.index });
          works.push({ work: work as Work, model: running, index: running.index });
        }
      } else expect(work).toBeUndefined();
      if (running?.status === 'Failed') expect(work).toBeUndefined();
    } else if (one.do === 'report') {
      const given = works[one.which];
      if (given !== undefined) {
        const { work, model, index } = given;
        await operations.report(work, { status: one.isGood ? 'Succeeded' : 'Failed' });
        if (model.status === 'Running' && model.index === index) {
          if (one.isGood) next(model);
          else model.status = 'Failed';
        }
      }
    } else if (one.do === 'open') {
      isOpen = true;
      await hub.as(device.actor, 'devices_SetDeviceProperty', { deviceId, name: 'open', value: true });
    } else {
      hub.advance(60);
      if (running?.steps[running.index] === 'command') running.secsLeft -= 60;
    }
    if (running?.status === 'Running' && running.steps[running.index] === 'command' && running.secsLeft <= 0)
      running.status = 'TimedOut';
    // Those that were released first begin first.
    const order = [...released, ...models.filter((model) => !released.includes(model))];
    settle(order, isOpen);
    // Operations that begin one after the other take a tick each.
    for (let count = 0; count <= released.length; count += 1) await operations.tick();
    for (const { id, status, index } of models) {
      const { summary, stepStates } = await operations.get(id);
      expect([summary.status, summary.stepIndex]).toEqual([status, index]);
      expect(stepStates.filter((state) => state.status === 'Running').length).toBeLessThanOrEqual(1);
    }
    expect(models.filter(({ status }) => status === 'Running').length).toBeLessThanOrEqual(1);
  }
  for (const { id, status } of models)
    if (status === 'Pending' || status === 'Running')
      await hub.as(member, 'devices_CancelOperation', { deviceOperationId: id });
}

test('operations go as their model, whatever people, the device and time do', async () => {
  await fc.assert(fc.asyncProperty(plan, run), {
    numRuns: inject('figures').operationRuns,
    endOnFailure: true,
  });
});
