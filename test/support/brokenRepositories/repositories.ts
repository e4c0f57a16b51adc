import type {BrokenRepository} from './brokenRepository.ts'
import {WRONG_CONTENTS} from './contents.ts'
import {BROKEN_FILES} from './files.ts'

/** Content repositories with one mistake each, for the check of content and for the lake. */
export const BROKEN_REPOSITORIES: readonly BrokenRepository[] = [...BROKEN_FILES, ...WRONG_CONTENTS]
