# SPDX-License-Identifier: Apache-2.0
"""Files that are write-protected: refused, of every command that writes one, and replaced with --force."""
import os
import stat

import numpy as np

from command import SOMEBODY, CommandTest, become_somebody, main

OLD = b"what was here before"
COMMANDS = {
    "permute": ["permute", "in.npy", "out.npy", "--by", "reverse"],
    "take": ["take", "in.npy", "indices.npy", "out.npy"],
    "run": ["run", "in.npy", "out.npy", "--by", "reverse"],
    "sort": ["sort", "in.npy", "out.npy"],
    "sort --unique": ["sort", "in.npy", "out.npy", "--unique"],
    "hull": ["hull", "in.npy", "out.npy"],
}


class Protected(CommandTest):
    def setUp(self):
        super().setUp()
        np.save(self.path("in.npy"), self.rng.normal(size=(8, 2)))
        np.save(self.path("indices.npy"), np.arange(3))
        self.own("in.npy", 0o644)
        self.own("indices.npy", 0o644)
        self.open_to_others()

    def own(self, name, mode):
        if os.getuid() == 0:
            os.chown(self.path(name), SOMEBODY, SOMEBODY)
        os.chmod(self.path(name), mode)

    def protect(self, name, mode=0o400):
        if os.path.exists(self.path(name)):
            os.remove(self.path(name))
        with open(self.path(name), "wb") as file:
            file.write(OLD)
        self.own(name, mode)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def refuses(self, name, command):
        before, names = self.read(name), sorted(os.listdir(self.folder))
        inode = os.stat(self.path(name)).st_ino
        done = self.run_riffle(*command, preexec_fn=become_somebody)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            1, "", f"riffle: {name}: is write-protected; replace it with --force, or let it be written (chmod)\n"), command)
        self.assertEqual((self.read(name), os.stat(self.path(name)).st_ino), (before, inode))
        self.assertEqual(sorted(os.listdir(self.folder)), names)

    def replaces(self, name, command, mode, **options):
        before = self.read(name)
        done = self.run_riffle(*command, **options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), command)
        self.assertNotEqual(self.read(name), before)
        self.assertEqual(stat.S_IMODE(os.stat(self.path(name)).st_mode), mode)

    def test_each_command(self):
        for name, command in COMMANDS.items():
            with self.subTest(name):
                for mode in (0o400, 0o444, 0o000):
                    self.protect("out.npy", mode)
                    if mode == 0:
                        os.chmod(self.path("out.npy"), 0o400)
                    self.refuses("out.npy", command)
                self.protect("out.npy")
                self.replaces("out.npy", [*command, "--force"], 0o400, preexec_fn=become_somebody)

    def test_what_stands_beside_out(self):
        for name, command in (("idx.npy", ["sort", "in.npy", "out.npy", "--indices", "idx.npy"]),
                              ("hull.svg", ["hull", "in.npy", "out.npy", "--svg", "hull.svg"])):
            self.protect(name)
            self.refuses(name, command)
            self.assertFalse(os.path.exists(self.path("out.npy")))
            self.replaces(name, [*command, "--force"], 0o400, preexec_fn=become_somebody)
            os.remove(self.path("out.npy"))

    def test_in_place(self):
        command = ["permute", "in.npy", "--in-place", "--by", "reverse"]
        self.own("in.npy", 0o444)
        self.refuses("in.npy", command)
        self.replaces("in.npy", [*command, "--force"], 0o444, preexec_fn=become_somebody)

    def test_a_link_to_what_is_protected(self):
        self.protect("real.npy")
        os.symlink("real.npy", self.path("link.npy"))
        self.refuses("link.npy", ["permute", "in.npy", "link.npy", "--by", "reverse"])
        self.replaces("link.npy", ["permute", "in.npy", "link.npy", "--by", "reverse", "--force"], 0o400,
                      preexec_fn=become_somebody)
        self.assertTrue(os.path.islink(self.path("link.npy")))

    def test_root_may(self):
        """As with cp and NumPy; who is no root is refused what belongs to him too."""
        self.protect("out.npy")
        command = COMMANDS["permute"]
        if os.getuid() == 0:
            self.replaces("out.npy", command, 0o400)
        else:
            self.refuses("out.npy", command)

    def test_what_belongs_to_another(self):
        if os.getuid() != 0:
            return  # who is no root can give nothing away; the mode decides all the same
        self.protect("out.npy", 0o644)
        os.chown(self.path("out.npy"), SOMEBODY + 1, SOMEBODY + 1)
        self.refuses("out.npy", COMMANDS["permute"])
        os.chmod(self.path("out.npy"), 0o666)
        done = self.run_riffle(*COMMANDS["permute"], preexec_fn=become_somebody)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_not_protected(self):
        self.protect("out.npy", 0o600)
        self.replaces("out.npy", COMMANDS["permute"], 0o600, preexec_fn=become_somebody)

    def test_help_says_it(self):
        for command in ("permute", "take", "run", "sort", "hull"):
            self.assertIn("--force", self.run_riffle(command, "--help").stdout)


main()
