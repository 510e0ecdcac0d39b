import { defineConfig } from '@playwright/test';
import chromium from './playwright.config.ts';

// Playwright's runner and the fixtures of the hub, without its browser: it drives only its own build of Firefox.
export default defineConfig({ ...chromium, testDir: './firefox', workers: 1 });
