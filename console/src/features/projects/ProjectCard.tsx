import { Link } from '@tanstack/react-router';
import { Pin } from 'lucide-react';
import { projectsCopy } from './copy.ts';
import { PendingCountBadge } from '../../ui/badge/PendingCountBadge.tsx';
import { CardLink } from '../../ui/layout/CardLink.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { DeviceDots } from '../../ui/picture/DeviceDots.tsx';
import { ProjectFacts } from './ProjectFacts.tsx';
import type { ProjectSummary } from '../../parts/project-order.ts';

// Of the dots in the only card, by the width of the page.
const [desktopColumns, tabletColumns, phoneColumns] = [54, 39, 24];

/** A project as a card: its name and the number and state of its devices. */
export function ProjectCard({
  project,
  isPinned,
  isOnly,
  onTogglePin,
}: {
  project: ProjectSummary;
  /** The only card of the page is as wide as that. */
  isOnly: boolean;
  isPinned: boolean;
  onTogglePin: () => void;
}) {
  const { projectId, name, devices, connectedDevices, pendingCertificates = 0 } = project;
  const isDesktop = useMedia('(min-width: 64rem)');
  const isTablet = useMedia('(min-width: 40rem)');
  const onlyColumns = isDesktop ? desktopColumns : isTablet ? tabletColumns : phoneColumns;
  return (
    <CardLink
      render={<Link to="/projects/$projectId" params={{ projectId }} />}
      title={name}
      isWide={isOnly}
      meta={<span className="tabular">{deviceText(project)}</span>}
      badge={
        pendingCertificates > 0 && (
          <PendingCountBadge count={pendingCertificates} word={projectsCopy.pending} />
        )
      }
    >
      {devices === 0 ? (
        <span className="text-body text-ink3">{projectsCopy.noDevices}</span>
      ) : (
        <DeviceDots
          counts={{ total: devices, connected: connectedDevices, pending: pendingCertificates }}
          {...(isOnly && { columns: onlyColumns })}
        />
      )}
      {devices > 0 && <ProjectFacts {...{ projectId, isOnly }} />}
      <button
        type="button"
        aria-pressed={isPinned}
        aria-label={projectsCopy.pin(name)}
        onClick={onTogglePin}
        className="absolute end-2 bottom-2 z-10 inline-flex size-8 items-center justify-center rounded-control text-ink3 opacity-0 transition-opacity hover:bg-sunken hover:text-ink focus-visible:opacity-100 aria-pressed:text-rivet aria-pressed:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100 [article:hover_&]:opacity-100"
      >
        <Pin size={15} aria-hidden className={isPinned ? 'fill-current' : undefined} />
      </button>
    </CardLink>
  );
}

function deviceText({ devices, connectedDevices }: ProjectSummary): string {
  if (devices === 0 || connectedDevices === undefined) return projectsCopy.devices(devices);
  if (devices === 1 && connectedDevices === 1) return projectsCopy.allOne;
  return projectsCopy.connected(connectedDevices, devices);
}
