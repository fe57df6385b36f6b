import { type CpOptions, InMemoryFs } from 'just-bash'

/**
 * The package's file system follows links when it reads but not when it writes. Here it does both.
 */
export class PodFs extends InMemoryFs {
  #hasLinks = false

  /** A path with its links resolved; with `keepLast` all but a link at its end. */
  async #resolve(path: string, keepLast = false): Promise<string> {
    if (!this.#hasLinks) return path
    let done = ''
    let left = this.resolvePath('/', path).split('/').slice(1)
    for (let links = 0; left.length > 0 && links < 40; ) {
      const [part = '', ...rest] = left
      const next = `${done}/${part}`
      const to = keepLast && rest.length === 0 ? null : await this.readlink(next).catch(() => null)
      links += to === null ? 0 : 1
      left =
        to === null
          ? rest
          : [
              ...this.resolvePath(done || '/', to)
                .split('/')
                .slice(1),
              ...rest,
            ]
      done = to === null ? next : ''
    }
    return left.length > 0 ? path : done
  }

  override async writeFile(path: string, ...rest: Rest<'writeFile'>) {
    return super.writeFile(await this.#resolve(path), ...rest)
  }
  override async appendFile(path: string, ...rest: Rest<'appendFile'>) {
    return super.appendFile(await this.#resolve(path), ...rest)
  }
  override async mkdir(path: string, ...rest: Rest<'mkdir'>) {
    return super.mkdir(await this.#resolve(path), ...rest)
  }
  override async chmod(path: string, mode: number) {
    return super.chmod(await this.#resolve(path), mode)
  }
  override async utimes(path: string, ...rest: Rest<'utimes'>) {
    return super.utimes(await this.#resolve(path), ...rest)
  }
  override async rm(path: string, ...rest: Rest<'rm'>) {
    return super.rm(await this.#resolve(path, true), ...rest)
  }
  override async cp(from: string, to: string, options?: CpOptions) {
    return super.cp(await this.#resolve(from, true), await this.#resolve(to), options)
  }
  override async mv(from: string, to: string) {
    return super.mv(await this.#resolve(from, true), await this.#resolve(to, true))
  }
  override async link(from: string, to: string) {
    return super.link(await this.#resolve(from), await this.#resolve(to, true))
  }
  override async symlink(target: string, path: string) {
    this.#hasLinks = true
    return super.symlink(target, await this.#resolve(path, true))
  }
}

/** The parameters of a method after the path. */
type Rest<K extends 'writeFile' | 'appendFile' | 'mkdir' | 'utimes' | 'rm'> =
  Parameters<InMemoryFs[K]> extends [string, ...infer Others] ? Others : never
