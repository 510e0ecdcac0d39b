import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../../../data/queries-projects.ts';
import { operationsCopy } from '../copy.ts';
import { draftPreviewQuery, type FoundOperation } from '../fleet-operations.ts';
import { newOperationCopy } from '../new/copy.ts';

/** What a draft would do now, and why it cannot start. */
export function useDraftPreview({ summary, starters: askedOf }: FoundOperation) {
  const { projectId, fleetOperationId, status } = summary;
  const canPreview = status === 'Draft';
  const { data, error } = useQuery({
    ...draftPreviewQuery(fleetOperationId),
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
