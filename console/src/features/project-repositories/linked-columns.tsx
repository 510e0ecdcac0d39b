import type { Id } from '@corral/contract';
import { Link, linkOptions } from '@tanstack/react-router';
import { Unlink } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import type { Run } from '../../data/action-mutation.ts';
import { askFirst } from '../../parts/ask-first.ts';
import { runUndoable } from '../../parts/undoable.ts';
import { VisibilityBadge } from '../../ui/badge/VisibilityBadge.tsx';
import {
  actionsColumn,
  badgeColumn,
  countColumn,
  idColumn,
  nameColumn,
  type RowAction,
  timeColumn,
} from '../../ui/table/columns.tsx';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { projectRepositoriesCopy as words } from './copy.ts';
import { type LinkedRepository as Linked, linkRepository, unlinkRepository } from './mutations.ts';

/** The link to a repository. */
export const repositoryLink = ({ repositoryId }: Linked) =>
  linkOptions({
    to: '/repositories/$repositoryId',
    params: { repositoryId: repositoryId as Id<'repository'> },
  });

/** The columns of the repositories of a project. Who may link a repository again unlinks it at once, with Undo; others are asked first. */
export const linkedColumns = (run: Run, projectId: Id<'project'>, mayLink: (linked: Linked) => boolean) => [
  idColumn<Linked>({
    id: 'id',
    header: words.id,
    of: ({ repositoryId }) => repositoryId,
    what: terms.ids.repository,
    length: 16,
  }),
  nameColumn<Linked>({
    of: ({ name }) => name,
    cell: (linked) => (
      <TextLink render={<Link {...repositoryLink(linked)} className="inline-flex min-h-6 items-center" />}>
        <span className="wrap-anywhere">{linked.name}</span>
      </TextLink>
    ),
  }),
  badgeColumn<Linked>({
    id: 'visibility',
    header: words.visibility,
    of: ({ visibility }) => visibility,
    badge: ({ visibility }) => <VisibilityBadge visibility={visibility} />,
  }),
  countColumn<Linked>({ id: 'packages', header: words.packages, of: ({ packageCount }) => packageCount }),
  timeColumn<Linked>({ id: 'linked', header: words.linked, of: ({ linkedAt }) => linkedAt }),
  actionsColumn<Linked>({ of: (linked) => [unlink(run, projectId, linked, mayLink(linked))] }),
];

function unlink(run: Run, projectId: Id<'project'>, linked: Linked, isUndoable: boolean): RowAction {
  const { repositoryId, name } = linked;
  const input = { projectId, repositoryId };
  const report = { done: words.unlinkedDone(name), failed: words.unlinkFailed };
  const undo = { inverse: input, inverseMutation: linkRepository(linked), ...report };
  const question = askFirst({
    label: words.unlink,
    name: words.unlinkName(name),
    icon: <Unlink aria-hidden />,
    title: words.unlinkTitle(name),
    text: words.unlinkText,
    action: () => run(unlinkRepository, input),
    done: report.done,
  });
  if (!isUndoable) return question;
  return { ...question, onSelect: () => runUndoable(run, unlinkRepository, input, undo) };
}
