import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

const message = 'refused a property of a device';
const count = () => scene.logged.filter((one) => one === message).length;

/** Commands with a schema of so many levels, each of which is two levels of JSON. */
const commands = (levels: number) => ({
  commands: [{ name: 'restart', input: { schema: nested(levels) } }],
});
const nested = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { part: nested(levels - 1) } };

test.each(['devices_SetDeviceProperty', 'devices_SetProperty'])(
  'commands that %s refuses, whose answer agents ignore, are in the log of the hub',
  async (name) => {
    const { peer, deviceId } = await scene.oldAgent();
    const before = count();
    const set = (value: object) => peer.call(name, { deviceId, name: 'dev.nexigon.commands', value });
    expect(await set(commands(12))).toMatchObject({ result: 'Ok' });
    expect(await set({ commands: [{ constructor: 'x' }] })).toMatchObject({
      result: 'Error',
      error: { message: 'The input may not use constructor as a key.' },
    });
    expect(count() - before).toBe(1);
    for (let call = 0; call < 3; call += 1)
      expect(await set(commands(20))).toMatchObject({
        result: 'Error',
        error: { message: 'The input is nested deeper than 32 levels.' },
      });
    expect(count() - before).toBe(4);
    peer.leave();
  },
);

test('commands that a person writes are refused without an entry in the log', async () => {
  const { peer, deviceId } = await scene.oldAgent();
  const person = await scene.oldCommandLine();
  const before = count();
  const input = { deviceId, name: 'dev.nexigon.commands', value: commands(20) };
  expect(await person.call('devices_SetDeviceProperty', input)).toMatchObject({ result: 'Error' });
  expect(count()).toBe(before);
  peer.leave();
  person.leave();
});
