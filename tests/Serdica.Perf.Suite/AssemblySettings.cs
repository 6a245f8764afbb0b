// Measurements run alone: two at once would measure each other.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
[assembly: AssemblyFixture(typeof(PerfRun))]
