import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Run } from '../../data/action-mutation.ts';
import { sessionQuery } from '../../data/queries-account.ts';
import { projectQuery } from '../../data/queries-projects.ts';
import { liveRows } from '../../parts/live-rows.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import type { RowSource } from '../../parts/row-source.ts';
import { terminalCopy } from '../../parts/terminal/copy.ts';
import { type Terminal, terminalsQuery } from '../../parts/terminal/terminals.ts';
import { useActorNames } from '../../parts/use-actor-names.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { OptionalChips } from '../../ui/form/OptionalChips.tsx';
import { terminalsCopy as words } from './copy.ts';
import { terminalColumns } from './terminal-columns.tsx';
import { terminalStates, type TerminalsSearch } from './terminals-search.ts';

/** The terminals on the devices of a project, newest first. */
export function TerminalsPage({ projectId }: { projectId: Id<'project'> }) {
  const [{ state }, change] = useUrlSearch<TerminalsSearch>();
  const navigate = useNavigate();
  const names = useActorNames(projectId);
  const { data: user } = useQuery(sessionQuery);
  const { data: project } = useQuery(projectQuery(projectId));
  const isOwner = project?.isOwner === true;
  const open = useCallback(
    (sessionId: Id<'terminal'>) =>
      void navigate({ to: '/projects/$projectId/terminals/$sessionId', params: { projectId, sessionId } }),
    [navigate, projectId],
  );
  const columns = useCallback(
    (run: Run) => terminalColumns({ run, names, open, isOwner, userId: user?.userId }),
    [names, open, isOwner, user?.userId],
  );
  return (
    <ResourceListPage
      meta={() => words.text}
      source={terminalsSource(projectId, state)}
      columns={columns}
      rowKey={keyOf}
      rowName={nameOf}
      isSortable={false}
      filters={
        <OptionalChips
          label={words.columns.state}
          value={state}
          onValueChange={(state) => change({ state })}
          all={words.all}
          chips={terminalStates.map((value) => ({ value, label: terminalCopy.columnStates[value] }))}
        />
      }
      isFiltered={state !== undefined}
      onClearFilters={() => change({ state: undefined })}
      csvName={words.csvName}
      onOpen={({ sessionId }) => open(sessionId)}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

const keyOf = ({ sessionId }: Terminal): string => sessionId;
const nameOf = ({ deviceName, deviceId }: Terminal): string => deviceName ?? deviceId;

/** The terminals, read page by page, of which those in sight follow changes. */
function terminalsSource(projectId: Id<'project'>, state: TerminalsSearch['state']): RowSource<Terminal> {
  return liveRows({
    queryOf: (after) => terminalsQuery({ projectId }, state, after),
    rowsOf: ({ terminals }) => terminals,
    keyOf,
  });
}
