import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type RawBuilder,
} from 'kysely';
import { expect, test, vi } from 'vitest';
import { CachingCompiler } from './CachingCompiler.ts';

const db = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new CachingCompiler(),
  },
});

/** The text and the parameters, compiled for the first and for the second time. */
function compiledTwice(make: () => RawBuilder<unknown>): [string, readonly unknown[]] {
  const [first, second] = [make().compile(db), make().compile(db)];
  expect([second.sql, second.parameters]).toEqual([first.sql, first.parameters]);
  return [second.sql, second.parameters];
}

const within = (low: number, high: number) => sql`between ${low} and ${high}`;
const find = (name: string, part: RawBuilder<unknown>) =>
  sql`select 1 from t where name = ${name} and ${part}`;

test('templates have their parameters in order, also those of templates in them', () => {
  expect(compiledTwice(() => find('a', within(1, 2)))).toEqual([
    'select 1 from t where name = $1 and between $2 and $3',
    ['a', 1, 2],
  ]);
  expect(compiledTwice(() => find('b', within(3, 4)))[1]).toEqual(['b', 3, 4]);
});

test('what is put into a template makes another statement: a parameter, a text, a literal, an identifier or another template', () => {
  const texts = [
    sql`${1}`,
    sql.raw('now()'),
    sql.raw('null'),
    sql.lit(1),
    sql.lit(2),
    sql.id('a'),
    sql.id('b'),
    sql.ref('a.b'),
    sql`${sql.raw('x')}y`,
    sql`${sql.raw('xy')}`,
    sql.join([1, 2]),
    sql.join([1, 2, 3]),
  ].map((part) => compiledTwice(() => find('a', part))[0].split(' and ')[1]);
  expect(texts).toEqual([
    '$2',
    'now()',
    'null',
    '1',
    '2',
    '"a"',
    '"b"',
    '"a"."b"',
    'xy',
    'xy',
    '$2, $3',
    '$2, $3, $4',
  ]);
});

test('a statement of templates is compiled once', () => {
  using compile = vi.spyOn(PostgresQueryCompiler.prototype, 'compileQuery');
  for (let nth = 0; nth < 10; nth += 1) find(`${nth}`, sql`other = ${nth}`).compile(db);
  expect(compile).toHaveBeenCalledOnce();
});

test('more pieces than are kept are compiled all the same', () => {
  for (let nth = 0; nth < 12_000; nth += 1)
    expect(find('a', sql.raw(`x${nth}`)).compile(db).sql).toBe(`select 1 from t where name = $1 and x${nth}`);
});
