namespace Serdica.Perf.Analysis.Sizing;

/// <summary>
/// A size as YAML for Kubernetes: one patch for each component, to be applied to a Deployment of the same name with <c>kubectl
/// patch</c> or Kustomize.
/// </summary>
internal static class KubernetesFragment
{
    public static string Of(TshirtSize size)
    {
        var text = new StringBuilder();
        foreach (var component in size.Components)
        {
            var name = component.Component.Replace(' ', '-');
            text.Append(
                Invariant(
                        $"""
                        ---
                        # Size {size.Name}: up to {size.UpToPerSecond:0.#} operations a second.
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata:
                          name: {name}
                        spec:
                          replicas: {component.Replicas}
                          template:
                            spec:
                              containers:
                                - name: {name}
                                  resources:
                                    requests:
                                      cpu: {component.CpuRequest}m
                                      memory: {component.MemoryRequest}Mi
                                    limits:
                                      cpu: {component.CpuLimit}m
                                      memory: {component.MemoryLimit}Mi

                        """
                    )
                    .ReplaceLineEndings("\n")
            );
        }

        return text.ToString();
    }
}
