import { ToggleLeft, ToggleRight } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import type { Run } from '../../data/action-mutation.ts';
import { bulkAction } from '../../parts/bulk-action.tsx';
import { type Deletion, deleteRow, deleteRows } from '../../parts/deletion.tsx';
import { runUndoable } from '../../parts/undoable.ts';
import { Switch } from '../../ui/form/Switch.tsx';
import { Dash } from '../../ui/text/Dash.tsx';
import { actionsColumn, countColumn, idColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import { TokenEnds } from './TokenEnds.tsx';
import { tokensCopy as words } from './copy.ts';
import { deleteToken, enrolledBy, isOn, setFlags, type Token, tokenName } from './deployment-token.ts';

const deletion: Deletion<Token> = {
  keyOf: ({ tokenId }) => tokenId,
  nameOf: tokenName,
  kind: 'token',
  text: (tokens) => words.deleteText(enrolledBy(tokens), tokens.length),
  perform: (run, { tokenId }) => run(deleteToken, { tokenId }),
};

/** The columns of the table of deployment tokens. */
export const tokenColumns = (run: Run) => [
  nameColumn<Token>({
    of: tokenName,
    // Few tokens end: a column of its own would take the room of when they were last used.
    cell: (token) => (
      <span className="flex flex-col items-start gap-0.5">
        <span className="font-head wrap-anywhere text-ink">{tokenName(token)}</span>
        <TokenEnds {...token} />
      </span>
    ),
  }),
  timeColumn<Token>({ id: 'createdAt', header: words.createdAt, of: ({ createdAt }) => createdAt }),
  idColumn<Token>({
    id: 'tokenId',
    header: words.id,
    of: ({ tokenId }) => tokenId,
    what: terms.ids.token,
    length: 18,
  }),
  {
    id: 'autoAccept',
    header: words.autoAccept,
    value: isOn,
    // A token of one device enrols no other.
    cell: (token: Token) => (token.deviceId === undefined ? <AutoAccept {...{ run, token }} /> : <Dash />),
  },
  timeColumn<Token>({
    id: 'lastUsed',
    header: words.lastUsed,
    isExtra: true,
    of: ({ lastUsedAt }) => lastUsedAt,
    never: terms.never,
  }),
  countColumn<Token>({
    id: 'devices',
    header: words.devices,
    isExtra: true,
    of: ({ enrolledDevices }) => enrolledDevices,
    text: (token) => words.enrolled(enrolledBy([token])),
  }),
  actionsColumn<Token>({ of: (token) => [deleteRow(run, deletion, token)] }),
];

/** The actions on selected tokens: Auto Accept on and off with Undo, delete. */
export const actionsOnSelected = (tokens: readonly Token[], run: Run) => [
  switchSelected(run, tokens, true),
  switchSelected(run, tokens, false),
  deleteRows(run, deletion, tokens),
];

function switchSelected(run: Run, selected: readonly Token[], on: boolean) {
  const tokens = selected.filter((token) => isOn(token) !== on && token.deviceId === undefined);
  const n = tokens.length;
  return bulkAction(run, tokens, {
    ...deletion,
    label: words.bulk.label(on),
    icon: on ? <ToggleRight aria-hidden /> : <ToggleLeft aria-hidden />,
    ...(n === 0 && { disabledReason: words.bulk.all(on) }),
    title: words.bulk.title(n, on),
    text: on ? words.bulk.onText : words.bulk.offText,
    verb: words.bulk.verb(on),
    tone: on ? 'danger' : 'primary',
    perform: (run, token) => run(setFlags, flagsOf(token, on)),
    done: (count) => words.bulk.done(count, on),
    undo: { perform: (run, token) => run(setFlags, flagsOf(token, !on)), notUndone: words.bulk.notUndone },
  });
}

const flagsOf = ({ tokenId }: Token, autoAccept: boolean) => ({ tokenId, flags: { autoAccept } });

function AutoAccept({ run, token }: { run: Run; token: Token }) {
  const name = tokenName(token);
  const change = (on: boolean) =>
    runUndoable(run, setFlags, flagsOf(token, on), {
      inverse: flagsOf(token, !on),
      done: (on ? words.on : words.off)(name),
      failed: words.notSwitched,
    });
  return (
    <span className="flex">
      <Switch isLabelHidden label={words.autoAcceptOf(name)} checked={isOn(token)} onCheckedChange={change} />
    </span>
  );
}
