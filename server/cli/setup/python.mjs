import { existsSync } from 'node:fs'
import { hasPackages, installPackages } from './debian.mjs'

const PLACES = ['/usr/bin/bwrap', '/usr/lib/python3/dist-packages/pandas', '/usr/lib/python3/dist-packages/matplotlib']
const PACKAGES = ['bubblewrap', 'python3', 'python3-pandas', 'python3-matplotlib']

/**
 * Installs the Python that the shells of agents use where it is there, from Debian's packages when
 * root. Without it they have the portable one.
 */
export async function ensurePython() {
  if (PLACES.every((place) => existsSync(place)) || process.env.SHELL_PYTHON === 'portable' || !hasPackages()) return
  try {
    await installPackages('Python with pandas and matplotlib', PACKAGES)
  } catch {
    // No network: the portable one it is.
  }
}
