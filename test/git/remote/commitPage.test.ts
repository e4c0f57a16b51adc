import assert from 'node:assert/strict'
import {test} from 'node:test'
import {commitPageOf, comparePageOf} from '../../../git/remote/commitPage.ts'

test('remotes on known hosts have a page for each commit, without credentials', () => {
  const pages: [remote: string, page: string | undefined][] = [
    ['https://github.com/owner/name.git', 'https://github.com/owner/name/commit/'],
    ['https://user:secret@github.com/owner/name', 'https://github.com/owner/name/commit/'],
    ['git@github.com:owner/name.git', 'https://github.com/owner/name/commit/'],
    ['ssh://git@gitlab.com:22/group/sub/name.git', 'https://gitlab.com/group/sub/name/-/commit/'],
    ['https://bitbucket.org/owner/name/', 'https://bitbucket.org/owner/name/commits/'],
    ['https://codeberg.org/owner/name.git', 'https://codeberg.org/owner/name/commit/'],
    ['https://git.internal.example/owner/name.git', undefined],
    ['https://github.com/', undefined],
    ['https://github.com/owner/<script>', undefined],
    ['/srv/git/content.git', undefined],
    ['../content', undefined],
    ['origin', undefined],
    ['C:\\content', undefined],
  ]
  for (const [remote, page] of pages) assert.equal(commitPageOf(remote), page, remote)
})

test('remotes on known hosts have a page that compares two branches', () => {
  const pages: [remote: string, page: string | undefined][] = [
    ['git@github.com:owner/name.git', 'https://github.com/owner/name/compare/main...review/1%23'],
    ['https://codeberg.org/owner/name', 'https://codeberg.org/owner/name/compare/main...review/1%23'],
    ['https://gitlab.com/group/sub/name', 'https://gitlab.com/group/sub/name/-/compare/main...review/1%23'],
    [
      'https://bitbucket.org/owner/name',
      'https://bitbucket.org/owner/name/branches/compare/review/1%23%0Dmain',
    ],
    ['https://git.internal.example/owner/name.git', undefined],
    ['/srv/git/content.git', undefined],
  ]
  for (const [remote, page] of pages) assert.equal(comparePageOf(remote, 'main', 'review/1#'), page, remote)
})
