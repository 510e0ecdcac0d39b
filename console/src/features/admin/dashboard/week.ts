import type { Output } from '@corral/contract';
import { toMs } from '../../../ui/time/format-time.ts';
import { dashboardCopy as words } from './copy.ts';

/** What the instance had over the last seven days. */
export type Week = Output<'instance_QueryHistory'>;

/** A figure over time as far as it was recorded, oldest first, from its first record. */
export interface Line {
  readonly fromMs: number;
  /** Whether it reaches back for the whole week, but for a few hours. */
  readonly isWhole: boolean;
  readonly values: readonly number[];
}

const nearlyWholeMs = 6 * 3_600_000;

/** The line of a figure in the steps of a week; undefined where none was recorded. */
export function lineOf(week: Week | undefined, figures: readonly (number | null)[]): Line | undefined {
  if (week === undefined) return undefined;
  const first = figures.findIndex((value) => value !== null);
  if (first === -1) return undefined;
  const beforeMs = first * week.stepSeconds * 1000;
  return {
    fromMs: toMs(week.from) + beforeMs,
    isWhole: beforeMs <= nearlyWholeMs,
    values: figures.filter((value) => value !== null),
  };
}

/** How the present value differs from the beginning of a line, since when, and the lowest and highest value between. */
export function changeOf({ fromMs, isWhole, values }: Line, now: number) {
  const all = [...values, now];
  return {
    by: now - (values[0] ?? now),
    when: isWhole ? words.week : words.since(formatDayOf(fromMs)),
    low: Math.min(...all),
    high: Math.max(...all),
  };
}

/** The number of devices in each step. */
export const devicesOf = ({ connected, disconnected, waiting }: Week): (number | null)[] =>
  connected.map((value, step) =>
    value === null ? null : value + (disconnected[step] ?? 0) + (waiting[step] ?? 0),
  );

/** The number of nodes with a record in each step. */
export const nodesOf = ({ watched, nodes }: Week): (number | null)[] =>
  watched.map(
    (_, step) => nodes.filter(({ connections }) => (connections[step] ?? null) !== null).length || null,
  );

/** Connections by node. */
export interface NodeSeries {
  /** Undefined of all others. */
  readonly name: string | undefined;
  readonly connections: readonly (number | null)[];
}

const maxNodeSeries = 4;

/** The connections of the nodes that had the most, and of all others as one; a node that was not there had none. */
export function nodeSeries({ connected, nodes }: Week): NodeSeries[] {
  const inSteps = (of: Week['nodes']) =>
    connected.map((value, step) =>
      value === null ? null : of.reduce((sum, { connections }) => sum + (connections[step] ?? 0), 0),
    );
  const mostOf = ({ connections }: Week['nodes'][number]) =>
    Math.max(0, ...connections.map((value) => value ?? 0));
  const busy = nodes.filter((node) => mostOf(node) > 0).toSorted((one, other) => mostOf(other) - mostOf(one));
  const shown = busy.slice(0, busy.length > maxNodeSeries ? maxNodeSeries - 1 : maxNodeSeries);
  const rest = busy.slice(shown.length);
  return [
    ...shown
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
      .map((node) => ({ name: node.name, connections: inSteps([node]) })),
    ...(rest.length === 0 ? [] : [{ name: undefined, connections: inSteps(rest) }]),
  ];
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** A day without its year, as "21 Nov". */
export const formatDayOf = (atMs: number): string => day.format(atMs);
