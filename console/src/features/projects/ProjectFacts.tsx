import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { historyQuery, overviewQuery } from '../../data/queries-projects.ts';
import { NeedsList } from '../../parts/NeedsList.tsx';
import { Sparkline } from '../../ui/picture/Sparkline.tsx';
import { projectsCopy } from './copy.ts';
import { useSeen } from './use-seen.ts';

const maxNeeds = 3;

/** What a card of a project tells beside its dots, read once it is in sight: the line of the last day, and what needs a person. */
export function ProjectFacts({ projectId }: { projectId: Id<'project'> }) {
  const element = useRef<HTMLDivElement>(null);
  const enabled = useSeen(element);
  const { data: history } = useQuery({ ...historyQuery(projectId, 'Day'), enabled });
  const { data: overview } = useQuery({ ...overviewQuery(projectId), enabled });
  const line = history?.connected.filter((value) => value !== null) ?? [];
  const needs = overview?.needs.slice(0, maxNeeds) ?? [];
  const [low, high] = [Math.min(...line), Math.max(...line)];
  return (
    <div ref={element} className="mt-auto flex flex-col gap-2 pt-4">
      {line.length > 1 && (
        <div className="flex items-center gap-3">
          <Sparkline values={line} label={projectsCopy.day(low, high)} />
          <span aria-hidden className="tabular text-small text-ink2">
            {projectsCopy.day(low, high)}
          </span>
        </div>
      )}
      {needs.length > 0 && <NeedsList {...{ projectId, needs }} isBrief />}
    </div>
  );
}
