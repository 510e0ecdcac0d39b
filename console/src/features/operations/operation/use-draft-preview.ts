import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../../../data/queries-projects.ts';
import { operationsCopy } from '../copy.ts';
import { type FoundOperation, previewQuery } from '../fleet-operations.ts';
import { newOperationCopy } from '../new/copy.ts';

/** What the hub puts in place of secrets. */
const mask = '***';

/** What a draft would do now, and why it cannot start. A draft whose input has secrets, which the console does not know, has no preview. */
export function useDraftPreview({ summary, selector, stages, steps, starters: askedOf }: FoundOperation) {
  const { projectId, name, install, status, maxInFlight, pauseOnFailurePercent } = summary;
  const canPreview = status === 'Draft' && !JSON.stringify(steps).includes(`"${mask}"`);
  const { data, error } = useQuery({
    ...previewQuery({
      projectId,
      name,
      selector,
      stages,
      steps: install === undefined ? steps : [],
      ...(install === undefined ? {} : { install }),
      maxInFlight,
      pauseOnFailurePercent,
    }),
    enabled: canPreview,
    retry: false,
  });
  const { data: project } = useQuery(projectQuery(projectId));
  // A draft that was not previewed when it was saved has nobody who is asked; of members its preview says who that is.
  const starters = askedOf ?? (project?.isOwner === false ? data?.starters : undefined);
  const none = data?.eligible === 0 ? newOperationCopy.whyNot.none : undefined;
  const whyNot = starters === undefined ? none : operationsCopy.state.starters(starters);
  return { canPreview, preview: data, error, whyNot };
}
