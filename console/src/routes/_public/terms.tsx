import { createFileRoute } from '@tanstack/react-router';
import { PolicyPage } from '../../features/policies/PolicyPage.tsx';

export const Route = createFileRoute('/_public/terms')({ component: () => <PolicyPage policy="terms" /> });
