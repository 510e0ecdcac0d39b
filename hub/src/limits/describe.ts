import { amounts, type Amount } from './amounts.ts';
import type { Rate } from './bucket.ts';
import type { Places } from './fair-semaphore.ts';
import type { Limit, Windows } from './limit.ts';
import { limits } from './table.ts';

const number = (value: number): string => value.toLocaleString('en');
const spans: Readonly<Record<number, string>> = {
  60: 'a minute',
  600: 'in ten minutes',
  3600: 'an hour',
  86400: 'a day',
};

function frequency({ perSecond, burst }: Rate): string {
  return `${number(perSecond)} a second, ${number(burst)} at once`;
}

function within({ windows, blockSecs, mostBlockSecs }: Windows): string {
  const most = mostBlockSecs === undefined ? '' : `, doubled up to ${mostBlockSecs / 60} min`;
  const block = blockSecs === undefined ? '' : `, then none for ${blockSecs} s${most}`;
  return windows.map(({ max, secs }) => `${number(max)} ${spans[secs] ?? `in ${secs} s`}`).join(', ') + block;
}

function atOnce(
  { inAll, ofCaller, ofGroup, waiting, waitingOfCaller, maxWaitMs }: Places,
  limit: Limit,
): string {
  const of = (count: number | undefined, whose: string) =>
    count === undefined ? [] : [`${number(count)}${whose}`];
  const runs = [
    ...of(
      ofCaller,
      inAll === undefined && ofGroup === undefined ? '' : ` of one ${limit.per ?? 'user or device'}`,
    ),
    ...of(ofGroup, ` of ${limit.group ?? 'a group'}`),
    ...of(inAll, ' in all'),
  ];
  const waits = [
    ...of(waitingOfCaller, ' others of one'),
    ...of(waiting === 0 ? undefined : waiting, ' others'),
  ];
  const longest = maxWaitMs === undefined ? '' : ` up to ${maxWaitMs / 1_000} s`;
  return `${runs.join(', ')} at a time${waits.length === 0 ? '' : `; ${waits.join(', ')} wait${longest}`}`;
}

function numbersOf(limit: Limit): string {
  if ('perSecond' in limit) return frequency(limit);
  return 'windows' in limit ? within(limit) : atOnce(limit, limit);
}

function beyond({ refused }: Limit): string {
  return typeof refused === 'string' ? refused : `${refused.kind}, again after ${refused.retryAfterSecs} s`;
}

function title(limit: Limit): string {
  const { what, per } = limit;
  const isSaidBelow = 'inAll' in limit || 'ofGroup' in limit;
  return per === undefined || isSaidBelow ? what : `${what}, per ${per}`;
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const all: readonly Limit[] = Object.values(limits);

/** The tables of SECURITY.md. */
export function limitTables(): string {
  return [
    row('What', 'Limit', 'Beyond it', 'Without it', 'Set by'),
    row('---', '---', '---', '---', '---'),
    ...all.map((limit) =>
      row(title(limit), numbersOf(limit), beyond(limit), limit.scenario, limit.setBy ?? ''),
    ),
    '',
    'What is kept:',
    '',
    row('What', 'Limit', 'Set by'),
    row('---', '---', '---'),
    ...Object.values<Amount>(amounts).map(({ what, max, beyond: after, setBy = '' }) =>
      row(what, `${number(max)}; ${after}`, setBy),
    ),
  ].join('\n');
}

/** Of the limits those that an operator sets, for docs/configuration.md. */
export function settableLimits(): string {
  const ofTable = all.map((limit) => [title(limit), numbersOf(limit), limit.setBy] as const);
  const kept = Object.values<Amount>(amounts).map(
    ({ what, max, setBy }) => [what, number(max), setBy] as const,
  );
  return [
    row('What', 'Limit', 'Set by'),
    row('---', '---', '---'),
    ...[...ofTable, ...kept].flatMap(([what, limit, setBy]) =>
      setBy === undefined ? [] : [row(what, limit, setBy)],
    ),
  ].join('\n');
}
