import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  newEventId,
  startGenerationHub,
  type Scene,
  type GenerationHub,
} from '../../../test/generation-scene.ts';

let at: GenerationHub;
let scene: Scene;
const events = 150;
beforeAll(async () => {
  at = await startGenerationHub();
  scene = await at.newScene();
  for (let published = 0; published < events; published += 10) await publish(10);
}, 60_000);
afterAll(() => at[Symbol.asyncDispose]());

/** Of 60 KB each: 150 of them are more than one answer may hold. */
async function publish(count: number): Promise<void> {
  const answer = await scene.callers.agent('devices_PublishDeviceEvents', {
    deviceId: scene.deviceId,
    events: Array.from({ length: count }, (_, index) => ({
      eventId: newEventId(),
      severity: 'Info',
      body: 'x'.repeat(60_000),
      attributes: {},
      emittedAt: new Date(Date.UTC(2026, 10, 20, 12, 0, index)).toISOString(),
    })),
  });
  expect(answer).toMatchObject({ value: {} });
}

interface Answer {
  readonly events: { readonly eventId: string }[];
  readonly next?: string;
}

describe.each(['HTTP', 'command line', 'agent'] as const)('over %s', (caller) => {
  const read = async (input: object) => {
    const answer = await scene.callers[caller]('devices_QueryDeviceEvents', {
      deviceId: scene.deviceId,
      ...input,
    });
    if ('error' in answer) throw new Error(`${answer.error.kind}: ${answer.error.message}`);
    return answer.value as Answer;
  };

  test('all events of a device are read page by page, however large they are', async () => {
    const ids: string[] = [];
    const sizes: number[] = [];
    for (let after: string | undefined; ;) {
      const page = await read({ limit: 1000, ...(after === undefined ? {} : { after }) });
      ids.push(...page.events.map(({ eventId }) => eventId));
      sizes.push(JSON.stringify(page).length);
      after = page.next;
      if (after === undefined) break;
    }
    expect(new Set(ids).size).toBe(events);
    expect(ids).toHaveLength(events);
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(8 * 1024 * 1024);
  });
});
