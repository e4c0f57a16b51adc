import {equal, notEqual} from 'node:assert/strict'
import {fork} from 'node:child_process'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {type TestRepository, temporaryRepository} from '../lake/support/git.ts'
import {publisherAt, toolText} from '../lake/support/publisher.ts'

async function whole({git}: TestRepository) {
  await git('fsck', '--strict', '--no-dangling')
}

test('killing a publishing process leaves the repository intact, with every acknowledged publish', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit(Object.fromEntries(Array.from({length: 50}, (_, i) => [`tool/t${i}.json`, 'seed'])))
  const script = fileURLToPath(new URL('../lake/support/processes/publishForever.ts', import.meta.url))
  for (let round = 0; round < 5; round += 1) {
    const child = fork(script, [repository.directory, String(round)])
    let told = ''
    let count = 0
    const enough = 1 + Math.floor(Math.random() * 6)
    await new Promise<void>((resolve, reject) => {
      child.on('message', (commit) => {
        told = String(commit)
        count += 1
        // A while after a publish, so that the next one is in progress.
        if (count === enough) setTimeout(() => child.kill('SIGKILL'), Math.random() * 25) // the moment is what varies
      })
      child.on('error', reject)
      child.on('exit', (code) => (code === null ? resolve() : reject(new Error(`ended by itself: ${code}`))))
    })
    notEqual(told, '')
    const {publisher, publish, warnings} = await publisherAt(context, repository)
    await repository.git('merge-base', '--is-ancestor', told, 'HEAD')
    equal(warnings.length, 0, JSON.stringify(warnings))
    await whole(repository)
    await publish({'tool/after.json': toolText('after', round)})
    await publisher.close()
    await whole(repository)
  }
})
