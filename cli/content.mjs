#!/usr/bin/env node
import './prepare.mjs'

const {main} = await import('./process.ts')
await main()
