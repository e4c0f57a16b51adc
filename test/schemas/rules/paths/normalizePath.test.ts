import assert from 'node:assert/strict'
import {test} from 'node:test'
import {normalizePath} from '../../../../schemas/rules/paths/pathPattern.ts'

const PATHS: [path: string, normalised: string][] = [
  ['', '/'],
  ['/', '/'],
  ['?q=1', '/'],
  ['#top', '/'],
  ['products', '/products'],
  ['/products/', '/products'],
  ['/products/?page=2#top', '/products'],
  ['/products#a?b', '/products'],
  ['/Products', '/Products'],
  ['/caf%C3%A9', '/café'],
  ['/100%', '/100%'],
  ['/caf%C3%A9/100%', '/caf%C3%A9/100%'],
  ['/%FF', '/%FF'],
  ['/what%3F', '/what?'],
  ['/a%2Fb%2F', '/a/b'],
  ['/%252F', '/%2F'],
  ['/a//b', '/a//b'],
  ['//', '/'],
  ['/a//', '/a/'],
  ['/a/./b/..', '/a/./b/..'],
  ['/.hidden', '/.hidden'],
  ['/a%0Ab', '/a\nb'],
]
for (const [path, normalised] of PATHS) {
  test(`the path ${JSON.stringify(path)} is ${JSON.stringify(normalised)}`, () => {
    assert.equal(normalizePath(path), normalised)
  })
}
