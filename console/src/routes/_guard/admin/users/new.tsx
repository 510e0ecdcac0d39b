import { createFileRoute } from '@tanstack/react-router';
import { NewUserDialog } from '../../../../features/admin/users/NewUserDialog.tsx';

export const Route = createFileRoute('/_guard/admin/users/new')({ component: NewUserDialog });
