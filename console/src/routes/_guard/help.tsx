import { createFileRoute } from '@tanstack/react-router';
import { HelpPage } from '../../features/help/HelpPage.tsx';

export const Route = createFileRoute('/_guard/help')({ component: HelpPage });
