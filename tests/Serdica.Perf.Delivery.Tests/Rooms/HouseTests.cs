namespace Serdica.Perf.Delivery.Tests.Rooms;

/// <summary>The check itself finds what is planted, and nothing where nothing is wrong.</summary>
public sealed class HouseTests : IDisposable
{
    private static readonly Dictionary<string, string[]> Plan = new() { ["Ground"] = [], ["Upper"] = ["Ground"] };

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_reference_against_the_plan_is_found()
    {
        Project("Ground", references: ["Upper"]);
        Project("Upper", references: ["Ground"]);
        Project("Shed");

        var forbidden = House.Read(_folder.Path).ForbiddenReferences(Plan);

        Assert.Equal(
            ["Ground refers to Upper, which the plan of the rooms does not allow.", "Shed is not in the plan of the rooms."],
            forbidden
        );
    }

    [Fact]
    public void A_project_as_planned_is_passed()
    {
        Project("Ground");
        Project("Upper", references: ["Ground"]);
        Source("Upper/A/One.cs", "using Upper.B;\nusing System.Text;\n\nnamespace Upper.A;\n\nclass One;");
        Source("Upper/Root.cs", "using Upper.A;\n\nnamespace Upper;\n\nclass Root;");
        Source("Upper/B/Two.cs", "namespace Upper.B;\n\nclass Two;");

        var house = House.Read(_folder.Path);

        Assert.Empty(house.ForbiddenReferences(Plan));
        Assert.Empty(house.NamespaceCycles());
    }

    [Fact]
    public void A_circle_over_three_namespaces_is_found_once_and_without_what_only_leads_to_it()
    {
        Project("Home");
        Source("Home/A/One.cs", "using Home.B;\n\nnamespace Home.A;\n\nclass One;");
        Source("Home/B/Two.cs", "using static Home.C.Three;\n\nnamespace Home.B;\n\nclass Two;");
        Source("Home/C/Three.cs", "using Home.A;\n\nnamespace Home.C;\n\nclass Three;");
        Source("Home/D/Four.cs", "using Home.A;\n\nnamespace Home.D;\n\nclass Four;");

        Assert.Equal(
            "Home: Home.A uses Home.B in One.cs; Home.B uses Home.C in Two.cs; Home.C uses Home.A in Three.cs",
            Assert.Single(House.Read(_folder.Path).NamespaceCycles())
        );
    }

    [Fact]
    public void A_child_that_names_a_type_of_its_parent_uses_it_without_an_import()
    {
        Project("Home");
        Source("Home/Root.cs", "using Home.Child;\n\nnamespace Home;\n\nclass Root;");
        Source("Home/Child/Leaf.cs", "namespace Home.Child;\n\nclass Leaf { Root? Up { get; } }");

        var cycle = Assert.Single(House.Read(_folder.Path).NamespaceCycles());

        Assert.Contains("Home.Child uses Home in Leaf.cs", cycle);
    }

    [Fact]
    public void What_comments_and_texts_name_is_not_used()
    {
        Project("Home");
        Source("Home/Root.cs", "using Home.Child;\n\nnamespace Home;\n\nclass Root;");
        Source("Home/Child/Leaf.cs", "namespace Home.Child;\n\n/// <summary>Below Root.</summary>\nclass Leaf { string Up => \"Root\"; }");
        Source("Home/obj/Built.cs", "using Home;\n\nnamespace Home.Child;\n");

        Assert.Empty(House.Read(_folder.Path).NamespaceCycles());
    }

    [Fact]
    public void Nested_types_of_a_parent_are_no_names_of_its_namespace()
    {
        Project("Home");
        Source("Home/Root.cs", "using Home.Child;\n\nnamespace Home;\n\nclass Root\n{\n    private sealed class Part;\n}");
        Source("Home/Child/Leaf.cs", "namespace Home.Child;\n\nclass Leaf { int Part { get; } }");

        Assert.Empty(House.Read(_folder.Path).NamespaceCycles());
    }

    [Fact]
    public void What_a_hole_in_a_text_names_is_used()
    {
        Project("Home");
        Source("Home/Root.cs", "using Home.Child;\n\nnamespace Home;\n\nclass Root;");
        Source("Home/Child/Leaf.cs", "namespace Home.Child;\n\nclass Leaf { string Up => $\"Below {new Root()}\"; }");

        Assert.Single(House.Read(_folder.Path).NamespaceCycles());
    }

    private void Project(string name, params string[] references)
    {
        var elements = references.Select(other => $"<ProjectReference Include=\"../{other}/{other}.csproj\" />");
        Source($"{name}/{name}.csproj", $"<Project><ItemGroup>{string.Concat(elements)}</ItemGroup></Project>");
    }

    private void Source(string file, string text)
    {
        var path = _folder.Below(file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }
}
