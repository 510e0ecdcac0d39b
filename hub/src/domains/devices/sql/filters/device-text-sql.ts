import { foldText, ids, type Filter, type FilterTest } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { anyId, anyText, occursInTexts } from '../../../../platform/db/paging/searched-text.ts';
import { textOccurs } from '../../../../platform/db/filters/text-sql.ts';

type TextTest = Extract<FilterTest, { kind: 'text' }>;

const searchedColumns = [anyText(sql`d.name`), anyText(sql`d.hostname`), anyId(ids.device, sql`d.device_id`)];

/** The condition that the id, the name or the host name of a device, `d`, contains a text, or begins with it. */
export function textFits(test: TextTest): RawBuilder<boolean> {
  return textOccurs(searchedColumns, test);
}

/** A text that devices must have, or must not have. */
export interface Word {
  readonly test: TextTest;
  readonly isNegated: boolean;
}

/** The word that a part of a filter is, if it is one. */
export function wordOf(part: Filter): Word | undefined {
  if (part.kind === 'text') return { test: part, isNegated: false };
  return part.kind === 'not' && part.part.kind === 'text' ? { test: part.part, isNegated: true } : undefined;
}

/** SQL that selects the ids of the devices of the project with all of these words. */
export function devicesWithWords(words: readonly Word[], projectId: string): RawBuilder<unknown> {
  const conditions = words.map(({ test: { text, isPrefix }, isNegated }) => {
    const occurs = occursInTexts(sql`t.texts`, text, isPrefix ? 'at the start' : 'anywhere');
    return isNegated ? sql`not ${occurs}` : occurs;
  });
  return sql`select t.device_id from device_texts t where t.project_id = ${projectId} and ${sql.join(conditions, sql` and `)}`;
}

/** Whether the index finds a word: it has the parts of three letters or digits, and counts two blanks before each text. */
export function hasTrigram({ test: { text, isPrefix }, isNegated }: Word): boolean {
  return !isNegated && (isPrefix ? /^[\p{L}\p{N}]/u : /[\p{L}\p{N}]{3}/u).test(foldText(text));
}
