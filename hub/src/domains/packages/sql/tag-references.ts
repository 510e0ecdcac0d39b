import { ActionError, maxTagSteps } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';

/** What a reference means: the version of a tag now, before its last moves, or at a time. */
type Reference =
  | { readonly tag: string }
  | { readonly tag: string; readonly steps: number }
  | { readonly tag: string; readonly until: string; readonly interval: '1 day' | '1 microsecond' };

/**
 * SQL that joins the version that a reference means as `v`: `tag`, `tag~2` (two moves ago), `tag@2026-09-01` (at the end of that day in
 * UTC) or `tag@2026-09-01T12:00:00Z`. The statement's `packages` must be named `p`. Throws an `ActionError` of kind Invalid.
 */
export function joinVersion(text: string): RawBuilder<unknown> {
  const reference = parse(text);
  const moves = sql`from package_tag_moves where package_id = p.package_id and tag = ${reference.tag}`;
  if ('steps' in reference)
    return sql`join package_versions v on v.version_id = (select from_version_id ${moves} and from_version_id is distinct from to_version_id and from_version_id is not null
      order by moved_at desc, move_id desc offset ${reference.steps - 1} limit 1)`;
  if ('until' in reference)
    return sql`join package_versions v on v.version_id = (select to_version_id ${moves} and moved_at < ${reference.until}::timestamptz + ${reference.interval}::interval
      order by moved_at desc, move_id desc limit 1)`;
  return sql`join package_tags v on v.package_id = p.package_id and v.tag = ${reference.tag}`;
}

function parse(text: string): Reference {
  const [, tag = '', sign, rest = ''] = /^([^~@]*)(?:([~@])(.*))?$/s.exec(text) ?? [];
  if (sign === '~') return { tag, steps: stepsOf(rest) };
  if (sign === '@') return { tag, ...timeOf(rest) };
  return { tag };
}

function stepsOf(text: string): number {
  const steps = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (steps >= 1 && steps <= maxTagSteps) return steps;
  throw new ActionError(
    'Invalid',
    `After ~ comes how many moves to go back: a number from 1 to ${maxTagSteps}.`,
  );
}

const timeForm = /^[12]\d{3}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d))?$/;

function timeOf(text: string): { readonly until: string; readonly interval: '1 day' | '1 microsecond' } {
  const day = text.slice(0, 10);
  // Date turns a day such as 31 February into another one.
  const isDay = timeForm.test(text) && isSame(day, new Date(`${day}T00:00:00Z`));
  if (!isDay || Number.isNaN(Date.parse(text)))
    throw new ActionError(
      'Invalid',
      'After @ comes a day, such as 2026-09-01, or a time, such as 2026-09-01T12:00:00Z.',
    );
  // The text as it is, since Date would cut microseconds off.
  if (text !== day) return { until: text, interval: '1 microsecond' };
  return { until: `${day}T00:00:00Z`, interval: '1 day' };
}

function isSame(day: string, date: Date): boolean {
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
