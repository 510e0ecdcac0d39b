import type { AuditLogEvent } from '@corral/contract';
import { expect, test } from 'vitest';
import { foldAlike } from './fold-alike.ts';

const entry = (eventId: string, event: string, actor: object): AuditLogEvent =>
  ({ eventId, event, actor, data: {}, createdAt: '2026-11-01T10:00:00Z' }) as never;
const hub = { kind: 'System' };
const ada = { kind: 'User', userId: 'u_ada' };
const ben = { kind: 'User', userId: 'u_ben' };
const device = (id: string) => ({ kind: 'Device', deviceId: id });

const foldedOf = (entries: readonly AuditLogEvent[], hasFurther = false) =>
  foldAlike(entries, hasFurther).map(({ entry: { eventId }, more, isCut }) => [eventId, more, isCut]);

test('folds what one actor did in a row, and nothing else', () => {
  expect(
    foldedOf([
      entry('9', 'Renamed', ada),
      entry('8', 'Renamed', ada),
      entry('7', 'Renamed', ben),
      entry('6', 'Deleted', ben),
      entry('5', 'Renamed', ben),
      entry('4', 'Connected', device('d_1')),
      entry('3', 'Connected', device('d_2')),
    ]),
  ).toEqual([
    ['9', 1, false],
    ['7', 0, false],
    ['6', 0, false],
    ['5', 0, false],
    ['4', 1, false],
  ]);
});

test('says that there may be more where the last ones read are alike', () => {
  const alike = [entry('3', 'Deleted', hub), entry('2', 'Renamed', hub), entry('1', 'Renamed', hub)];
  expect(foldedOf(alike, true)).toEqual([
    ['3', 0, false],
    ['2', 1, true],
  ]);
  expect(foldedOf(alike.slice(0, 2), true)).toEqual([
    ['3', 0, false],
    ['2', 0, false],
  ]);
  expect(foldedOf([])).toEqual([]);
});
