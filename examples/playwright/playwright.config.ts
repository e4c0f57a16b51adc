import {defineConfig} from '@playwright/test'

export default defineConfig({use: {baseURL: process.env.BASE_URL ?? 'http://127.0.0.1:3001'}})
