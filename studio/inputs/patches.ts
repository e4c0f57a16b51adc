import {type FormPatch, insert, type Path, set, setIfMissing, unset} from 'sanity'

/** Sets a text, or removes it if it is empty. */
export function textPatch(path: Path, text: string): FormPatch {
  return text === '' ? unset(path) : set(text, path)
}

/** Adds an entry to a list, at its end or after the one with a key. */
export function addition(path: Path, entry: object, after?: string): FormPatch[] {
  return [
    setIfMissing([], path),
    insert([entry], 'after', [...path, after === undefined ? -1 : {_key: after}]),
  ]
}
