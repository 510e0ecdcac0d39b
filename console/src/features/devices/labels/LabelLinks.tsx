import type { Id } from '@corral/contract';
import { useContext } from 'react';
import { LabelBadge } from '../../../ui/badge/LabelBadge.tsx';
import { ListSearchContext } from '../DeviceLink.tsx';
import { withoutFilters } from '../device-view.ts';
import { useRowLink } from '../use-row-link.ts';
import { filterOfLabel, type Label } from './label-filter.ts';
import { labelsCopy } from './copy.ts';

/** With the number of the others these are two lines. */
const mostInRow = 3;

/** The labels of a device in a row of the list, those that the filter asks for first; each lists the devices that have it, too. */
export function LabelLinks({ projectId, labels }: { projectId: Id<'project'>; labels: readonly Label[] }) {
  const { q = '' } = useContext(ListSearchContext);
  const isAskedFor = ({ name }: Label) => q.includes(`label.${name}`);
  const ordered = [...labels.filter(isAskedFor), ...labels.filter((label) => !isAskedFor(label))];
  const others = ordered.slice(mostInRow);
  return (
    <span className="flex flex-wrap items-center gap-1">
      {ordered.slice(0, mostInRow).map((label) => (
        <LabelLink key={label.name} {...{ projectId, label }} />
      ))}
      {others.length > 0 && (
        <span
          className="px-0.5 text-small text-ink3"
          title={others.map(({ name, value }) => `${name}: ${value}`).join(', ')}
        >
          +{others.length}
        </span>
      )}
    </span>
  );
}

function LabelLink({ projectId, label }: { projectId: Id<'project'>; label: Label }) {
  const search = useContext(ListSearchContext);
  const q = filterOfLabel(label);
  const link = useRowLink({
    to: '/projects/$projectId/devices',
    params: { projectId },
    search: { ...withoutFilters(search), ...(q === undefined ? {} : { q }) },
  });
  const look = { ...label, className: 'max-w-34' };
  if (q === undefined) return <LabelBadge {...look} />;
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the badge has the content
  return <LabelBadge {...look} render={<a {...link} title={labelsCopy.show(label.name, label.value)} />} />;
}
