package io.duramen.simulation.mutant;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Says that a file is synced before it is: what stands above it answers before the fsync. */
final class HastyDisk extends MutantDisk {
    HastyDisk(Disk disk) {
        super(disk);
    }

    @Override
    DiskFile mutant(DiskFile file) {
        return new MutantFile(file) {
            @Override
            public void sync(IoCompletion<Void> done) {
                // Behind the writes submitted before, as a sync is; but nothing is synced.
                super.write(0, new ByteBuffer[0], done);
                file.sync(new IoCompletion<>() {
                    @Override
                    public void succeeded(Void result) {}

                    @Override
                    public void failed(IOException cause) {}
                });
            }
        };
    }
}
