import type { CallInput, Id } from '@corral/contract';

type Definition = CallInput<'fleet_PreviewOperation'>;
type Selector = Definition['selector'];
type Expr = Selector['predicates'][number];

/** An operation of one short command. */
export function definitionOf(projectId: Id<'project'>, selector: Selector): Definition {
  return {
    projectId,
    name: 'Restart',
    selector,
    stages: [],
    steps: [{ kind: 'DeviceCommand', command: 'restart', input: {} }],
  };
}

const at = (name: string, path: (string | number)[]): Expr => ({
  kind: 'Get',
  expr: { kind: 'NamedValue', name },
  path,
});
const info = 'dev.nexigon.system.info';
const isLater: Expr = { kind: 'VersionRequirement', expr: at('ota', ['version']), requirement: '>=2.1' };

/** A condition for the next stage that not all devices meet. */
export const gate = { kind: 'DeviceProperty', predicate: isLater, minMatchPercent: 99 } as const;

/** Ways to select devices, by their names. */
export const selectors: Readonly<Record<string, Selector>> = {
  'nothing but the project': { predicates: [], query: 'all' },
  'a filter': { predicates: [], query: 'connected -label.ring:canary cmd:restart' },
  'a condition of a version': { predicates: [isLater] },
  'conditions of the system': {
    predicates: [
      { kind: 'Equals', left: at(info, ['arch']), right: { kind: 'Literal', value: 'aarch64' } },
      {
        kind: 'GreaterThan',
        left: at(info, ['disks', 0, 'availableSpace']),
        right: { kind: 'Literal', value: 1e9 },
      },
    ],
  },
};
