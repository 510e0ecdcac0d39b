import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { terms } from '../../../copy/terms.ts';
import { usersQuery } from '../../../data/queries-account.ts';
import { CopyLinkItem } from '../../../parts/CopyLinkItem.tsx';
import { IssuedLink, type IssuedLinkOf } from '../../../parts/IssuedLink.tsx';
import { ResourceListPage } from '../../../parts/ResourceListPage.tsx';
import { rowsPerPage } from '../../../parts/list-limits.ts';
import { searchedRows } from '../../../parts/searched-rows.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { FilterChips } from '../../../ui/form/FilterChips.tsx';
import { usersCopy as words } from './copy.ts';
import { PendingRegistrations } from './PendingRegistrations.tsx';
import { SignInsDialog } from './SignInsDialog.tsx';
import { useUserActions } from './use-user-actions.tsx';
import { userColumns } from './user-columns.tsx';
import { userKinds, type UsersSearch } from './users-search.ts';
import { filterOf, type ListedUser, userCountsQuery } from './users-view.ts';

/** The users of the instance. */
export function UsersPage({ userId }: { userId: Id<'user'> }) {
  const [{ show }, change] = useUrlSearch<UsersSearch>();
  const { data: counts } = useQuery(userCountsQuery());
  const [link, setLink] = useState<IssuedLinkOf>();
  const [asked, setAsked] = useState<ListedUser>();
  const actionsOf = useUserActions(userId, setLink, setAsked);
  const countOf = { all: counts?.users, administrators: counts?.administrators, disabled: counts?.disabled };
  return (
    <>
      <ResourceListPage
        intro={<PendingRegistrations onLink={setLink} />}
        meta={() => counts && words.summary(counts.users, counts.administrators)}
        source={searchedRows((view) => usersQuery({ ...filterOf(show), limit: rowsPerPage, ...view }), {
          rowsOf: ({ users }) => users,
          keyOf: ({ userId: id }) => id,
          orders: ['id', 'name', 'email', 'admin'],
        })}
        columns={useMemo(() => userColumns(actionsOf), [actionsOf])}
        rowKey={({ userId: id }) => id}
        rowName={({ email }) => email}
        filterLabel={words.filter}
        filters={
          <FilterChips
            label={words.show}
            value={show ?? 'all'}
            onValueChange={(next) => change({ show: next === 'all' ? undefined : next })}
            chips={userKinds.map((value) => ({ value, label: words.shown[value], count: countOf[value] }))}
          />
        }
        isFiltered={show !== undefined}
        onClearFilters={() => change({ show: undefined })}
        menu={<CopyLinkItem />}
        csvName={words.csvName}
        create={{ label: terms.create.users, link: linkOptions({ to: '/admin/users/new' }) }}
        empty={{ title: words.emptyTitle, text: words.emptyText }}
      />
      <IssuedLink {...words.issued} once link={link} onClose={() => setLink(undefined)} />
      <SignInsDialog user={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}
