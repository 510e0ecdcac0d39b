import { Link } from '@tanstack/react-router';
import { AdminContact } from '../../parts/AdminContact.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { DoubleRule } from '../../ui/picture/DoubleRule.tsx';
import { policiesCopy } from './copy.ts';

/** What sign-up links to where the administrator has configured no document of their own. */
export function PolicyPage({ policy }: { policy: 'terms' | 'privacy' }) {
  const { title, points } = policiesCopy[policy];
  return (
    <div className="mt-10 flex flex-col gap-5">
      <h1 tabIndex={-1} className="text-display">
        {title}
      </h1>
      <DoubleRule />
      <div className="flex flex-col gap-3 text-body text-ink2">
        {points.map((point) => (
          <p key={point}>{point}</p>
        ))}
        <AdminContact before={policiesCopy.ask} />
      </div>
      <div>
        <ButtonLink render={<Link to="/signup" />}>{policiesCopy.back}</ButtonLink>
      </div>
    </div>
  );
}
