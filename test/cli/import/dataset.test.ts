import assert from 'node:assert/strict'
import {createServer, type ServerResponse} from 'node:http'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {listen} from '../../../common/listen.ts'
import {temporaryFolder, temporaryRepository} from '../../lake/support/git.ts'
import {content} from '../transfer/run.ts'

const LINES = ['one', 'two'].map((id) => `${JSON.stringify({_id: id, _type: 'page'})}\n`)
