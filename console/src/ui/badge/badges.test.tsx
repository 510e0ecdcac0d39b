import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ActionBadge } from './ActionBadge.tsx';
import { CertificateBadge } from './CertificateBadge.tsx';
import { DeviceBadge } from './DeviceBadge.tsx';
import { JobBadge } from './JobBadge.tsx';
import { KeyValueBadges } from './KeyValueBadges.tsx';
import { PendingCountBadge } from './PendingCountBadge.tsx';
import { RoleBadge } from './RoleBadge.tsx';
import { SeverityBadge } from './SeverityBadge.tsx';
import { TagBadge } from './TagBadge.tsx';
import { VisibilityBadge } from './VisibilityBadge.tsx';

it('shows every state as a word, never by colour alone', () => {
  const words = {
    Connected: <DeviceBadge isConnected />,
    Disconnected: <DeviceBadge isConnected={false} />,
    Revoked: <CertificateBadge status="Revoked" />,
    Critical: <SeverityBadge severity="Critical" />,
    Panicked: <ActionBadge status="Panicked" />,
    Expired: <JobBadge status="Expired" />,
    Owner: <RoleBadge isOwner />,
    Member: <RoleBadge isOwner={false} />,
    Public: <VisibilityBadge visibility="Public" />,
  };
  for (const [word, badge] of Object.entries(words)) {
    const { container, unmount } = render(badge);
    expect(container).toHaveTextContent(word);
    unmount();
  }
});

it('names the lock and the number for screen readers', () => {
  render(
    <>
      <button>
        <TagBadge tag="v4" isLocked />
      </button>
      <button>
        <PendingCountBadge count={2} />
      </button>
    </>,
  );
  expect(screen.getByRole('button', { name: 'v4 (locked)' })).toBeVisible();
  expect(screen.getByRole('button', { name: '2 pending certificates' })).toBeVisible();
});

it('shows data as key=value, sorted, without the omitted keys and without JSON', () => {
  render(
    <p aria-label="Data">
      <KeyValueBadges
        data={{ name: 'gantry', flags: { autoAccept: true, tags: ['a', 'b'] }, none: {}, projectId: 'p_1' }}
        omit={['projectId']}
      />
    </p>,
  );
  const badges = screen.getByLabelText('Data').querySelectorAll('[dir=ltr]');
  expect([...badges].map((badge) => badge.textContent)).toEqual([
    'flags.autoAccept=true',
    'flags.tags=a, b',
    'name=gantry',
    'none=none',
  ]);
});

it('counts the pairs of a brief view that are left out', () => {
  const data = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`key${index}`, index]));
  const { container, rerender } = render(<KeyValueBadges isBrief data={data} />);
  expect(container).toHaveTextContent(/\+3$/);
  rerender(<KeyValueBadges isBrief data={{ key1: 1 }} />);
  expect(container).toHaveTextContent(/^key1=1$/);
});
