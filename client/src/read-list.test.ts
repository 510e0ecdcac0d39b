import { ids, type CallInput } from '@corral/contract';
import { expect, test } from 'vitest';
import { readList } from './read-list.ts';
import { tableExecutor } from './table-executor.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const projects = names.map((name) => ({ projectId: ids.project.of(name.repeat(22)), name }));
const property = (name: string) => ({
  name,
  value: 1,
  protected: false,
  version: 1,
  lastUpdated: '2026-11-20T12:00:00Z',
});

/** A hub with two rows per page that records the inputs of its calls. */
function hub() {
  const inputs: CallInput<'projects_QueryProjects'>[] = [];
  const slice = (input: { limit?: number | undefined; after?: string | undefined }) => {
    inputs.push(input);
    const from = Number(input.after ?? 0);
    const to = from + Math.min(2, input.limit ?? 2);
    return { from, to, more: to < names.length ? { next: String(to) } : {} };
  };
  const executor = tableExecutor({
    projects_QueryProjects(input) {
      const { from, to, more } = slice(input);
      return { projects: projects.slice(from, to), ...more };
    },
    devices_QueryDeviceProperties(input) {
      const { from, to, more } = slice(input);
      return {
        properties: Object.fromEntries(names.slice(from, to).map((name) => [name, property(name)])),
        ...more,
      };
    },
    devices_QueryCommands(input) {
      const { from, to, more } = slice(input);
      return { manifest: { commands: names.slice(from, to).map((name) => ({ name })) }, ...more };
    },
  });
  return { inputs, executor };
}

const deviceId = ids.device.of('1'.repeat(22));

test('a list of several pages is one output without next', async () => {
  const { inputs, executor } = hub();
  expect(await readList(executor, 'projects_QueryProjects', {})).toEqual({ projects });
  expect(inputs).toEqual([{}, { after: '2' }, { after: '4' }]);
});

test('rows by name and rows inside another object are joined as well', async () => {
  const { executor } = hub();
  const { properties } = await readList(executor, 'devices_QueryDeviceProperties', { deviceId });
  expect(Object.keys(properties)).toEqual(names);
  const { manifest } = await readList(executor, 'devices_QueryCommands', { deviceId });
  expect(manifest.commands.map(({ name }) => name)).toEqual(names);
});

test('no more rows are read than requested', async () => {
  const { inputs, executor } = hub();
  expect(await readList(executor, 'projects_QueryProjects', { limit: 3 })).toEqual({
    projects: projects.slice(0, 3),
  });
  expect(inputs).toEqual([{ limit: 3 }, { limit: 1, after: '2' }]);
  const { properties } = await readList(executor, 'devices_QueryDeviceProperties', { deviceId }, 3);
  expect(Object.keys(properties)).toHaveLength(3);
});
