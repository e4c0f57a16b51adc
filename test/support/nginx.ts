import {spawnSync} from 'node:child_process'

/** Debian keeps it where only root's PATH leads. */
const environment = {...process.env, PATH: `${process.env.PATH}:/usr/sbin`}

/** Whether this machine has nginx, and openssl for a certificate. */
export function hasNginx(): boolean {
  return [['nginx', '-v'] as const, ['openssl', 'version'] as const].every(
    ([program, argument]) => spawnSync(program, [argument], {env: environment}).status === 0,
  )
}
