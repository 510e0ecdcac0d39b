import { sentencePieces, type SentencePiece } from '../../../parts/audit-sentence.ts';
import { idKindOf } from '../../../parts/id-path.ts';
import type { ActorNames } from '../../../parts/use-actor-names.ts';
import { logCopy } from '../copy.ts';
import type { LoggedAction } from './action-columns.tsx';

const words = logCopy.actions;

/** What a command was, as a sentence in pieces: who called it, on what. */
export function actionSentence({ action, actor, data }: LoggedAction, names: ActorNames): SentencePiece[] {
  const given = data as Readonly<Record<string, unknown>>;
  const ids = Object.keys(given).filter((key) => idKindOf(String(given[key])) !== undefined);
  const name = ['name', 'email'].find((key) => typeof given[key] === 'string');
  const command = wordsOf(action);
  // What is made has no id yet; else the narrowest of several, which is behind the project or repository that it is in.
  const isMade = name !== undefined && /^(?:create|register|invite) /u.test(command);
  const subject = isMade ? name : (ids.find((key) => !scopes.has(key)) ?? name ?? ids.at(-1));
  const sentence =
    subject === undefined
      ? words.called(command)
      : (isMade ? words.calledFor : words.calledOn)(command, subject);
  return sentencePieces(sentence, { actor, data: given }, { names, isAdmin: true });
}

const scopes = new Set(['projectId', 'repositoryId']);

/** `devices_SetDeviceName` as "set device name". */
function wordsOf(action: string): string {
  return action
    .replace(/^[a-z]+_/u, '')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ')
    .toLowerCase();
}
