package io.duramen.simulation.mutant;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import java.io.IOException;

/** Never cuts a file: a torn tail is kept. */
final class TailKeepingDisk extends MutantDisk {
    TailKeepingDisk(Disk disk) {
        super(disk);
    }

    @Override
    DiskFile mutant(DiskFile file) {
        return new MutantFile(file) {
            @Override
            public void truncate(long length) throws IOException {
                file.truncate(Math.max(length, file.length()));
            }
        };
    }
}
