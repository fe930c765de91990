import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { siteSettings } from '../../src/tools/site/site.ts'

export default defineConfig(siteSettings(fileURLToPath(new URL('../../', import.meta.url))))
