import { Lock } from 'lucide-react';
import { Card } from '../ui/layout/Card.tsx';
import { EmptyState } from '../ui/layout/EmptyState.tsx';
import { Page } from '../ui/layout/Page.tsx';
import { partsCopy } from './copy.ts';
import { SectionHeader } from './SectionHeader.tsx';

const words = partsCopy.membersOnly;

/** A page of a repository in place of one that its readers may not see. */
export function MembersOnly() {
  return (
    <Page>
      <SectionHeader />
      <Card>
        <EmptyState icon={<Lock size={20} aria-hidden />} title={words.title} text={words.text} />
      </Card>
    </Page>
  );
}
